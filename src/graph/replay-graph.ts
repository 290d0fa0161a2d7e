import type { Call, Session } from '../message/index.ts'

/** A session's calls and what each waits for. Nodes stand in the order of their calls: start, end, id. */
export interface ReplayGraph {
  readonly session: Session
  readonly nodes: readonly GraphNode[]
}

export interface GraphNode {
  readonly call: Call
  /** Direct predecessors after transitive reduction, each once. */
  readonly edges: readonly Edge[]
  /** As recorded: start less the latest end of the direct predecessors, never negative; 0 for a root. */
  readonly waitMs: number
  /** Independent of `edges`: a reduced edge keeps its substitution. */
  readonly splices: readonly Splice[]
}

export interface Edge {
  /** Id of the predecessor. */
  readonly from: string
  readonly kind: EdgeKind
  /** For the person who reads the graph: why this edge is here. */
  readonly evidence: string
}

/** Strongest first. The first four are causal (from content); `temporal` only where content says nothing. */
export type EdgeKind = 'context' | 'output' | 'tool-call-id' | 'hand-off' | 'temporal'

/** A place in the call's input that takes a predecessor's live output. */
export type Splice = MessageSplice | TextSplice

/** The whole assistant message at index `message` is the predecessor's output. */
export interface MessageSplice {
  readonly kind: 'message'
  readonly message: number
  readonly from: string
}

/** A stretch of a tool result or user text is the predecessor's final text (a sub-agent's answer handed on). */
export interface TextSplice {
  readonly kind: 'text'
  readonly message: number
  /** Index into the message's parts; that part is of type `text` or `tool_result`. */
  readonly part: number
  /** Offsets into the part's text or content, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** The stretch stands inside a JSON string: the live text is escaped before it is put in. */
  readonly escaped: boolean
  readonly from: string
}
