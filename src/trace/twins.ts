import { type Message, matchKey } from '../message/index.ts'
import { isRicher, richer } from './merge-drafts.ts'
import type { RecordedCall } from './recorded-call.ts'
import type { SpanNode, SpanTree } from './span-tree.ts'

/** Recorders' clocks are whole milliseconds at one end of a span and finer at the other. */
const CLOCK_SLACK_MS = 2

/** How many earlier calls of equal content are looked at: of those that overlap there are no more than run at once. */
const NEARBY = 16

/**
 * Several instrumentations at work, or a wrapper around a client, record one request in several spans. Such twins become one
 * call: the richest content under its own id, the innermost timing, tokens from whichever has them.
 *
 * @param calls in order of time
 */
export function mergeTwins(calls: readonly RecordedCall[], tree: SpanTree): RecordedCall[] {
  const merged = new Map(calls.map((call) => [call, call]))
  /** What a call has become, after none, one or several merges. */
  const current = (call: RecordedCall): RecordedCall => {
    let now = call
    for (let next = merged.get(now); next !== undefined && next !== now; next = merged.get(now)) now = next
    return now
  }
  for (const [a, b] of twinsOf(calls, tree)) {
    const [first, second] = [current(a), current(b)]
    if (first === second) continue
    const one = merge(first, second)
    one.report.note('duplicate-call', 'Several spans record one request; it counts once.')
    for (const part of [first, second, one]) merged.set(part, one)
  }
  return [...new Set(calls.map(current))].sort(byTime)
}

export function byTime(a: RecordedCall, b: RecordedCall): number {
  return a.startMs - b.startMs || a.endMs - b.endMs || (a.node.id < b.node.id ? -1 : 1)
}

function* twinsOf(calls: readonly RecordedCall[], tree: SpanTree): Generator<[RecordedCall, RecordedCall]> {
  yield* nestedTwins(calls, tree)
  // Without a link between their traces: by the response they both name, or by instrumentation, content and time.
  yield* alike(
    calls,
    ({ draft }) => draft.responseId,
    () => true,
  )
  yield* alike(calls, contentKey, (a, b) => a.node.scope !== b.node.scope && modelsAgree(a.draft.model, b.draft.model))
}

function* nestedTwins(calls: readonly RecordedCall[], tree: SpanTree): Generator<[RecordedCall, RecordedCall]> {
  const byNode = new Map<SpanNode, RecordedCall>(calls.map((call) => [call.node, call]))
  const inside = new Map<RecordedCall, RecordedCall[]>()
  for (const call of calls) {
    for (const node of tree.ancestors(call.node)) {
      const outer = byNode.get(node)
      if (outer === undefined) continue
      const others = inside.get(outer)
      if (others === undefined) inside.set(outer, [call])
      else others.push(call)
      break
    }
  }
  for (const [outer, inner] of inside) {
    const alike = inner.filter((call) => nested(outer, call) && contentAgrees(outer, call))
    const [twin, ...others] = alike.length > 0 ? alike : inner.filter((call) => nested(outer, call))
    // Several requests inside one span are a loop: the span around them is not any one of them.
    if (twin === undefined || others.length > 0) continue
    if (alike.length > 0 || sameOutput(outer, twin)) yield [outer, twin]
  }
}

function* alike(
  calls: readonly RecordedCall[],
  keyOf: (call: RecordedCall) => string,
  agree: (a: RecordedCall, b: RecordedCall) => boolean,
): Generator<[RecordedCall, RecordedCall]> {
  const seen = new Map<string, RecordedCall[]>()
  for (const call of calls) {
    const key = keyOf(call)
    if (key === '') continue
    const others = seen.get(key) ?? []
    const twin = others.slice(-NEARBY).find((other) => nested(other, call) && contentAgrees(other, call) && agree(other, call))
    if (twin !== undefined) yield [twin, call]
    others.push(call)
    seen.set(key, others)
  }
}

/** Of two calls in order of time, one lies inside the other. */
function nested(a: RecordedCall, b: RecordedCall): boolean {
  const within = (inner: RecordedCall, outer: RecordedCall) =>
    inner.startMs >= outer.startMs - CLOCK_SLACK_MS && inner.endMs <= outer.endMs + CLOCK_SLACK_MS
  return within(a, b) || within(b, a)
}

/** Recorders shape a history differently, but not its last message, nor the output. What one has not recorded it cannot deny. */
function contentAgrees(a: RecordedCall, b: RecordedCall): boolean {
  return keysAgree(a.draft.messages.at(-1), b.draft.messages.at(-1)) && keysAgree(a.draft.output, b.draft.output)
}

/** Recorders may shape even the last message differently, such as a tool's result; but one request was answered once. */
function sameOutput(a: RecordedCall, b: RecordedCall): boolean {
  const key = a.draft.output && matchKey(a.draft.output)
  return typeof key === 'string' && key === (b.draft.output && matchKey(b.draft.output))
}

function keysAgree(a: Message | null | undefined, b: Message | null | undefined): boolean {
  const [first, second] = [a && matchKey(a), b && matchKey(b)]
  return first === undefined || second === undefined || first === null || second === null || first === second
}

function contentKey({ draft }: RecordedCall): string {
  const last = draft.messages.at(-1)
  const [input, output] = [last && matchKey(last), draft.output && matchKey(draft.output)]
  return input === undefined || output === undefined || output === null ? '' : `${input} ${output}`
}

/** `gpt-4o` and `gpt-4o-2024-08-06`: asked for and answered by. */
function modelsAgree(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a)
}

function merge(a: RecordedCall, b: RecordedCall): RecordedCall {
  const content = isRicher(b.draft, a.draft) ? b : a
  const inner = b.endMs - b.startMs <= a.endMs - a.startMs ? b : a
  const draft = richer(a.draft, b.draft)
  // With an output at hand, a failure that only one of them saw happened around the request, not to it.
  const failed = draft.output === null || (a.error !== null && b.error !== null)
  const error = failed ? (content.error ?? a.error ?? b.error) : null
  return { ...content, draft, startMs: inner.startMs, endMs: inner.endMs, error }
}
