import type { Call, Message, Part, Session, ToolCallPart } from '../message/index.ts'
import type { Edge, ReplayGraph } from './replay-graph.ts'

// Messages are interned, as the reader does it: equal ones are one object.
const interned = new Map<string, Message>()

function message(role: Message['role'], parts: readonly Part[]): Message {
  const key = JSON.stringify([role, parts])
  const known = interned.get(key)
  if (known !== undefined) return known
  const made = { role, parts }
  interned.set(key, made)
  return made
}

const textParts = (text: string): Part[] => (text === '' ? [] : [{ type: 'text', text }])

export const system = (text: string): Message => message('system', textParts(text))
export const user = (text: string): Message => message('user', textParts(text))
export const assistant = (text: string, ...calls: ToolCallPart[]): Message => message('assistant', [...textParts(text), ...calls])
export const toolCall = (name: string, args = '{}', id = ''): ToolCallPart => ({ type: 'tool_call', id, name, arguments: args })
export const toolResult = (content: string, id = ''): Message => message('tool', [{ type: 'tool_result', id, content }])

export interface CallSketch {
  readonly at: readonly [startMs: number, endMs: number]
  /** @default one user message that no other call has */
  readonly in?: readonly Message[]
  /** Text stands for an assistant message. @default an answer that no other call gives */
  readonly out?: Message | string | null
  readonly path?: readonly string[]
  readonly error?: string
}

/** A session from sketches of its calls, by id. */
export function sessionOf(sketches: Readonly<Record<string, CallSketch>>): Session {
  const calls = Object.entries(sketches).map(([id, sketch]) => callOf(id, sketch))
  return { id: 'session', source: 'session.json', attributes: {}, calls }
}

function callOf(id: string, { at: [startMs, endMs], in: messages, out, path = [], error }: CallSketch): Call {
  const output = out === undefined ? assistant(`Answer of ${id}.`) : typeof out === 'string' ? assistant(out) : out
  return {
    id,
    name: `chat ${id}`,
    model: 'test-model',
    messages: messages ?? [user(`Question of ${id}?`)],
    output,
    tools: [],
    params: {},
    usage: null,
    startMs,
    endMs,
    error: error ?? null,
    spanPath: path,
    attributes: {},
  }
}

/** Call id → the ids of its direct predecessors. */
export function afterOf(graph: ReplayGraph): Record<string, string[]> {
  return Object.fromEntries(graph.nodes.map(({ call, edges }) => [call.id, edges.map((edge) => edge.from)]))
}

/** Call id → its message splices, by index of the message. */
export function splicesOf(graph: ReplayGraph): Record<string, Record<number, string>> {
  const entries = graph.nodes.map(
    ({ call, splices }) => [call.id, Object.fromEntries(splices.map((s) => [s.message, s.from]))] as const,
  )
  return Object.fromEntries(entries.filter(([, splices]) => Object.keys(splices).length > 0))
}

/** The edge between two calls. */
export function edgeOf(graph: ReplayGraph, from: string, to: string): Edge | undefined {
  return graph.nodes.find(({ call }) => call.id === to)?.edges.find((edge) => edge.from === from)
}
