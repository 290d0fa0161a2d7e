import type { Edge, ReplayGraph, Splice } from '../graph/index.ts'
import type { Call, Message, Part, ToolDefinition } from '../message/index.ts'

export function text(role: Message['role'], content: string): Message {
  return { role, parts: [{ type: 'text', text: content }] }
}

export function toolCall(id: string, name: string, args = '{}'): Part {
  return { type: 'tool_call', id, name, arguments: args }
}

export function assistant(...parts: Part[]): Message {
  return { role: 'assistant', parts }
}

export function toolResult(id: string, content: string): Message {
  return { role: 'tool', parts: [{ type: 'tool_result', id, content }] }
}

export interface CallSketch {
  readonly id: string
  readonly after?: readonly string[]
  readonly waitMs?: number
  readonly messages?: readonly Message[]
  readonly output?: Message | null
  readonly splices?: readonly Splice[]
  readonly outputTokens?: number
  readonly tools?: readonly ToolDefinition[]
  readonly model?: string
}

/** A graph from a sketch: what is left out is one user message, a short answer, no wait. */
export function graphOf(id: string, sketches: readonly CallSketch[]): ReplayGraph {
  const nodes = sketches.map((sketch) => ({
    call: callOf(sketch),
    edges: (sketch.after ?? []).map((from): Edge => ({ from, kind: 'context', evidence: 'as sketched' })),
    waitMs: sketch.waitMs ?? 0,
    splices: sketch.splices ?? [],
  }))
  return { session: { id, source: `${id}.json`, attributes: {}, calls: nodes.map((node) => node.call) }, nodes }
}

/** `count` calls, each after the one before. */
export function chain(id: string, count: number, waitMs = 0): ReplayGraph {
  return graphOf(
    id,
    Array.from({ length: count }, (_, i) => ({
      id: `c${i}`,
      waitMs: i === 0 ? 0 : waitMs,
      ...(i === 0 ? {} : { after: [`c${i - 1}`] }),
    })),
  )
}

function callOf(sketch: CallSketch): Call {
  return {
    id: sketch.id,
    name: `chat ${sketch.id}`,
    model: sketch.model ?? 'recorded-model',
    messages: sketch.messages ?? [text('user', `question of ${sketch.id}`)],
    output: sketch.output === undefined ? text('assistant', `answer of ${sketch.id}`) : sketch.output,
    tools: sketch.tools ?? [],
    params: {},
    usage: { outputTokens: sketch.outputTokens ?? 4 },
    startMs: 0,
    endMs: 0,
    error: null,
    spanPath: [],
    attributes: {},
  }
}
