import { matchKey } from '../message/index.ts'
import { type Prefix, PrefixIndex } from './prefix-index.ts'
import type { RecordedCall } from './recorded-call.ts'
import type { SpanTree } from './span-tree.ts'
import { byTime } from './twins.ts'

/** Calls that belong to one workflow, in order of time. */
export interface CallGroup {
  readonly id: string
  readonly calls: readonly RecordedCall[]
}

/**
 * Forms sessions: by conversation or session id where the trace carries one, else by trace. Traces of a single call each, whose
 * messages continue one another, are one session.
 *
 * @param calls in order of time
 */
export function groupCalls(calls: readonly RecordedCall[], tree: SpanTree): CallGroup[] {
  const conversations = conversationsOf(calls, tree)
  const byKey = new Map<string, RecordedCall[]>()
  const ids = new Map<string, string>()
  for (const call of calls) {
    const conversation = conversations.get(call) ?? ''
    const key = conversation === '' ? `trace ${call.node.traceId}` : `conversation ${conversation}`
    ids.set(key, conversation || call.node.traceId)
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, [call])
    else known.push(call)
  }
  const groups: CallGroup[] = []
  const loose: CallGroup[] = []
  for (const [key, members] of byKey) {
    const group = { id: ids.get(key) ?? '', calls: members }
    if (key.startsWith('trace ') && members.length === 1) loose.push(group)
    else groups.push(group)
  }
  return [...groups, ...joined(loose)].sort(byFirstCall)
}

function byFirstCall({ calls: [a] }: CallGroup, { calls: [b] }: CallGroup): number {
  return a === undefined || b === undefined ? 0 : byTime(a, b)
}

/** The outermost span that names a conversation decides; a call under none takes the only one of its trace. */
function conversationsOf(calls: readonly RecordedCall[], tree: SpanTree): Map<RecordedCall, string> {
  const found = new Map<RecordedCall, string>()
  const ofTrace = new Map<string, Set<string>>()
  for (const call of calls) {
    let conversation = call.node.conversation
    for (const node of tree.ancestors(call.node)) conversation = node.conversation || conversation
    found.set(call, conversation)
    if (conversation === '') continue
    const others = ofTrace.get(call.node.traceId)
    if (others === undefined) ofTrace.set(call.node.traceId, new Set([conversation]))
    else others.add(conversation)
  }
  for (const call of calls) {
    const [only, ...others] = ofTrace.get(call.node.traceId) ?? []
    if (found.get(call) === '' && only !== undefined && others.length === 0) found.set(call, only)
  }
  return found
}

/** How many earlier calls with one history are looked at for one that had ended. */
const NEARBY = 256

/** Some instrumentations start a trace for every call. A history tells which of them one conversation was. */
function joined(groups: readonly CallGroup[]): CallGroup[] {
  const index = new PrefixIndex()
  const histories = new Histories()
  const sessions = new Map<RecordedCall, RecordedCall[]>()
  const result: CallGroup[] = []
  for (const { id, calls } of groups) {
    for (const call of calls) {
      const before = histories.predecessorOf(call, index)
      const session = (before && sessions.get(before)) ?? []
      if (session.length === 0) result.push({ id, calls: session })
      session.push(call)
      sessions.set(call, session)
      histories.add(call, index)
    }
  }
  return result
}

/** Calls by what a continuation of them begins with. */
class Histories {
  readonly #withOutput = new Map<Prefix, RecordedCall[]>()
  /** Of calls whose output was not recorded. */
  readonly #withoutOutput = new Map<Prefix, RecordedCall[]>()

  add(call: RecordedCall, index: PrefixIndex): void {
    const { messages, output } = call.draft
    const input = index.of(messages)
    const known = output !== null && matchKey(output) !== undefined
    const [map, prefix] = known ? [this.#withOutput, index.extend(input, output)] : [this.#withoutOutput, input]
    const calls = map.get(prefix)
    if (calls === undefined) map.set(prefix, [call])
    else calls.push(call)
  }

  /** The call whose history this one continues furthest; of several with equal content the latest. */
  predecessorOf(call: RecordedCall, index: PrefixIndex): RecordedCall | undefined {
    let prefix: Prefix = PrefixIndex.empty
    let best: RecordedCall | undefined
    const { messages } = call.draft
    for (const [position, message] of messages.entries()) {
      prefix = index.extend(prefix, message)
      const whole = position === messages.length - 1
      best =
        ended(this.#withOutput.get(prefix), call) ?? (whole ? undefined : ended(this.#withoutOutput.get(prefix), call)) ?? best
    }
    return best
  }
}

function ended(candidates: readonly RecordedCall[] | undefined, call: RecordedCall): RecordedCall | undefined {
  return candidates?.slice(-NEARBY).findLast(({ endMs }) => endMs <= call.startMs)
}
