import type { ReplayGraph } from '../graph/index.ts'
import type { Message } from '../message/index.ts'
import type { Workload } from './workload.ts'

/** A session of one call with these messages. */
export function singleCall(
  id: string,
  messages: readonly Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
): ReplayGraph {
  const call = {
    id: 'a',
    name: 'chat',
    model: 'm',
    messages,
    output: null,
    tools: [],
    params: {},
    usage: null,
    startMs: 0,
    endMs: 1,
    error: null,
    spanPath: [],
    attributes: {},
  }
  return {
    session: { id, source: 'x.json', attributes: {}, calls: [call] },
    nodes: [{ call, edges: [], waitMs: 0, splices: [] }],
  }
}

export function workloadOf(graphs: readonly ReplayGraph[]): Workload & { readonly opened: () => number } {
  let opened = 0
  return {
    name: 'listed',
    opened: () => opened,
    async *open(context) {
      opened++
      context.warn({ code: 'seen', message: 'read' })
      yield* graphs
    },
  }
}
