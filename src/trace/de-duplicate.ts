import { matchKey } from '../message/index.ts'
import { withoutLoops } from './drop-loops.ts'
import type { FileReport } from './file-report.ts'
import { hasInput } from './merge-drafts.ts'
import { PrefixIndex } from './prefix-index.ts'
import type { RecordedCall } from './recorded-call.ts'
import { reportHoles } from './report-holes.ts'
import type { SpanTree } from './span-tree.ts'
import { mergeTwins } from './twins.ts'

/**
 * One request, one call: drops spans recorded twice, failed attempts that were retried, and what several instrumentations saw of
 * one request. What remains without input is no call.
 *
 * @param calls in order of time
 */
export function withoutDuplicates(calls: readonly RecordedCall[], tree: SpanTree): RecordedCall[] {
  const distinct = mergeTwins(withoutLoops(withoutAttempts(withoutCopies(calls)), tree), tree)
  for (const call of distinct) reportHoles(call)
  return distinct.filter(({ draft }) => hasInput(draft))
}

/** Some exporters write a span twice, under two ids. */
function withoutCopies(calls: readonly RecordedCall[]): readonly RecordedCall[] {
  const inputs = new PrefixIndex()
  const moments = new Map<string, number>()
  for (const call of calls) moments.set(momentOf(call), (moments.get(momentOf(call)) ?? 0) + 1)
  const seen = new Set<string>()
  return calls.filter((call) => {
    if (moments.get(momentOf(call)) === 1 || !hasInput(call.draft)) return true
    const { messages, output } = call.draft
    const record = `${momentOf(call)} ${inputs.of(messages)} ${output && matchKey(output)}`
    if (seen.has(record)) return dropped(call, 'duplicate-call', 'A call is recorded twice.')
    seen.add(record)
    return true
  })
}

function momentOf({ startMs, endMs, draft }: RecordedCall): string {
  return `${startMs} ${endMs} ${draft.responseId} ${draft.model}`
}

/** Of siblings with the same input, a failed one that another followed was an attempt. */
function withoutAttempts(calls: readonly RecordedCall[]): readonly RecordedCall[] {
  if (!calls.some(({ error }) => error !== null)) return calls
  const inputs = new PrefixIndex()
  const later = new Map<string, RecordedCall>()
  const kept = calls.toReversed().filter((call) => {
    const { node, draft, error, endMs } = call
    if (!hasInput(draft)) return true
    const request = `${node.traceId}/${node.parentId} ${draft.model} ${inputs.of(draft.messages)}`
    const next = later.get(request)
    later.set(request, call)
    if (error === null || next === undefined || next.startMs < endMs) return true
    return dropped(call, 'failed-attempt', 'A failed attempt was repeated with the same input; only the last one is a call.')
  })
  return kept.reverse()
}

function dropped({ report }: { report: FileReport }, code: string, message: string): false {
  report.note(code, message)
  return false
}
