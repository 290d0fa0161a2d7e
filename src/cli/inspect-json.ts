import type { Warning } from '../base/index.ts'
import type { Edge, GraphNode, ReplayGraph, Splice } from '../graph/index.ts'
import type { Role, Scalar, TokenUsage } from '../message/index.ts'

/** What `inspect --json` prints. This shape is an interface: fields are added, not changed. */
export interface InspectReport {
  readonly sessions: readonly InspectedSession[]
  readonly warnings: readonly Warning[]
}

export interface InspectedSession {
  readonly id: string
  readonly source: string
  readonly attributes: Readonly<Record<string, Scalar>>
  readonly calls: readonly InspectedCall[]
}

export interface InspectedCall {
  readonly id: string
  readonly model: string
  readonly startMs: number
  readonly endMs: number
  /** Ids of the direct predecessors. */
  readonly after: readonly string[]
  readonly edges: readonly Edge[]
  /** As recorded. */
  readonly waitMs: number
  readonly splices: readonly Splice[]
  /** How many messages the input has. */
  readonly messages: number
  readonly roles: readonly Role[]
  /** How many tools are defined. */
  readonly tools: number
  /** Names of the tools the recorded output calls. */
  readonly toolCalls: readonly string[]
  readonly usage: TokenUsage | null
}

export function inspectedSession({ session, nodes }: ReplayGraph): InspectedSession {
  return { id: session.id, source: session.source, attributes: session.attributes, calls: nodes.map(inspectedCall) }
}

function inspectedCall({ call, edges, waitMs, splices }: GraphNode): InspectedCall {
  return {
    id: call.id,
    model: call.model,
    startMs: call.startMs,
    endMs: call.endMs,
    after: edges.map((edge) => edge.from),
    edges,
    waitMs,
    splices,
    messages: call.messages.length,
    roles: call.messages.map((message) => message.role),
    tools: call.tools.length,
    toolCalls: toolCallNames(call.output),
    usage: call.usage,
  }
}

export function toolCallNames(output: GraphNode['call']['output']): string[] {
  return output?.parts.flatMap((part) => (part.type === 'tool_call' ? [part.name] : [])) ?? []
}

/** One JSON document, a session a line: large ones stay searchable with line tools. */
export function renderInspectJson(graphs: readonly ReplayGraph[], warnings: readonly Warning[]): string {
  const sessions = graphs.map((graph) => JSON.stringify(inspectedSession(graph)))
  return `{"sessions":[\n${sessions.join(',\n')}\n],"warnings":${JSON.stringify(warnings)}}\n`
}
