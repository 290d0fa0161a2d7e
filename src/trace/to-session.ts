import type { Call, Scalar, Session } from '../message/index.ts'
import type { RecordedCall } from './recorded-call.ts'
import type { SpanTree } from './span-tree.ts'
import { UniqueNames } from './unique-names.ts'

export interface SessionHead {
  readonly id: string
  readonly source: string
  readonly attributes: Readonly<Record<string, Scalar>>
}

/** Calls of one workflow, in order of time, as a session: times from its first call on, ids unique within. */
export function toSession(head: SessionHead, calls: readonly RecordedCall[], tree: SpanTree): Session {
  const originMs = calls.reduce((earliest, { startMs }) => Math.min(earliest, startMs), Number.POSITIVE_INFINITY)
  const ids = new UniqueNames()
  return { ...head, calls: calls.map((call) => toCall(call, ids, originMs, tree)) }
}

function toCall(recorded: RecordedCall, ids: UniqueNames, originMs: number, tree: SpanTree): Call {
  const { node, name, draft, startMs, endMs, error, attributes } = recorded
  const agent = agentOf(recorded, tree)
  return {
    id: ids.take(node.id),
    name,
    ...(agent === '' ? {} : { agent }),
    model: draft.model,
    // A copy has no room to grow: in long sessions the room left in these lists was a third of what they took.
    messages: draft.messages.slice(),
    output: draft.output,
    tools: draft.tools,
    params: draft.params,
    usage: Object.keys(draft.usage).length === 0 ? null : draft.usage,
    startMs: startMs - originMs,
    endMs: endMs - originMs,
    ...(draft.ttftMs === undefined ? {} : { ttftMs: draft.ttftMs }),
    error,
    spanPath: tree.path(node),
    attributes,
  }
}

/** The agent the call names, else the nearest one around it. */
function agentOf({ node }: RecordedCall, tree: SpanTree): string {
  if (node.agent !== '') return node.agent
  for (const { agent } of tree.ancestors(node)) if (agent !== '') return agent
  return ''
}
