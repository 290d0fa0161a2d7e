import type { FileReport } from './file-report.ts'
import { PrefixIndex } from './prefix-index.ts'
import type { RecordedCall } from './recorded-call.ts'
import type { SpanTree } from './span-tree.ts'
import { mergeTwins } from './twins.ts'

/**
 * One request, one call: drops spans recorded twice, failed attempts that were retried, and what several instrumentations saw of
 * one request. What remains without input is no call.
 *
 * @param calls in order of time
 */
export function withoutDuplicates(calls: readonly RecordedCall[], tree: SpanTree): RecordedCall[] {
  return mergeTwins(withoutAttempts(withoutCopies(calls)), tree).filter(({ draft, report }) => {
    if (draft.messages.length > 0) return true
    report.note('call-without-input', 'A span is an LLM call, but its input was not recorded; it is left out.')
    return false
  })
}

/** Some exporters write a span twice, under two ids. */
function withoutCopies(calls: readonly RecordedCall[]): readonly RecordedCall[] {
  const seen = new Map<string, RecordedCall[]>()
  return calls.filter((call) => {
    const { startMs, endMs, draft } = call
    const moment = `${startMs} ${endMs} ${draft.responseId} ${draft.model}`
    const others = seen.get(moment)
    if (others === undefined) seen.set(moment, [call])
    else if (others.some((other) => isCopy(call, other))) return dropped(call, 'duplicate-call', 'A call is recorded twice.')
    else others.push(call)
    return true
  })
}

/** Equal messages are one object. */
function isCopy(a: RecordedCall, b: RecordedCall): boolean {
  const inputs = [a.draft.messages, b.draft.messages] as const
  return (
    inputs[0].length > 0 &&
    inputs[0].length === inputs[1].length &&
    a.draft.output === b.draft.output &&
    inputs[0].every((message, index) => message === inputs[1][index])
  )
}

/** Of siblings with the same input, a failed one that another followed was an attempt. */
function withoutAttempts(calls: readonly RecordedCall[]): readonly RecordedCall[] {
  if (!calls.some(({ error }) => error !== null)) return calls
  const inputs = new PrefixIndex()
  const later = new Map<string, RecordedCall>()
  const kept = calls.toReversed().filter((call) => {
    const { node, draft, error, endMs } = call
    if (draft.messages.length === 0) return true
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
