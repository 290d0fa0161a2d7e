import { type Message, matchKey } from '../message/index.ts'
import type { RecordedCall } from './recorded-call.ts'
import type { SpanNode, SpanTree } from './span-tree.ts'

/**
 * Drops spans that look like a call but are the loop around several: inside them are calls, the first with their input, one
 * with their output. A call that encloses others for another reason, such as a tool that asks an agent, differs in both.
 *
 * @param calls in order of time
 */
export function withoutLoops(calls: readonly RecordedCall[], tree: SpanTree): readonly RecordedCall[] {
  const inside = callsInside(calls, tree)
  if (inside.size === 0) return calls
  return calls.filter((call) => {
    if (!isLoop(call, inside.get(call) ?? [])) return true
    call.report.note('loop-of-calls', 'A span repeats the input and output of the calls inside it; it is no call.', call.place)
    return false
  })
}

/** The calls with no other one between them and the call around. */
function callsInside(calls: readonly RecordedCall[], tree: SpanTree): Map<RecordedCall, RecordedCall[]> {
  const byNode = new Map<SpanNode, RecordedCall>(calls.map((call) => [call.node, call]))
  const inside = new Map<RecordedCall, RecordedCall[]>()
  for (const call of calls) {
    for (const node of tree.ancestors(call.node)) {
      const outer = byNode.get(node)
      if (outer === undefined) continue
      const known = inside.get(outer)
      if (known === undefined) inside.set(outer, [call])
      else known.push(call)
      break
    }
  }
  return inside
}

function isLoop({ draft }: RecordedCall, inner: readonly RecordedCall[]): boolean {
  const [first, ...others] = inner
  if (first === undefined || others.length === 0) return false
  const input = keyOf(draft.messages.at(-1))
  if (input === undefined || input !== keyOf(first.draft.messages.at(-1))) return false
  const output = keyOf(draft.output)
  return output === undefined || inner.some((call) => keyOf(call.draft.output) === output)
}

function keyOf(message: Message | null | undefined): string | undefined {
  return message ? matchKey(message) : undefined
}
