import { dialects } from './dialects/index.ts'
import type { RecordedCall } from './recorded-call.ts'
import type { FileTally } from './recording.ts'

/** For those who write spans themselves. */
const CONVENTION =
  'a call has `gen_ai.operation.name` chat, text_completion or generate_content, and its input in `gen_ai.input.messages`'

/** How many operations an error lists. */
const LISTED = 12

/**
 * Refuses each file that yielded nothing: no call of its own, nor spans or log records of a trace with calls.
 *
 * @param calls all that were found
 */
export function refuseFilesWithoutCalls(tallies: readonly FileTally[], calls: readonly RecordedCall[]): void {
  const traces = new Set(calls.map(({ node }) => node.traceId))
  const reports = new Set(calls.map(({ report }) => report))
  for (const tally of tallies) {
    const useful = reports.has(tally.report) || [...tally.traces].some((trace) => traces.has(trace))
    if (!useful) tally.report.refuse('NO_LLM_CALLS', describe(tally))
  }
}

function describe({ traces, spans, calls, refused, operations, advice = '' }: FileTally): string {
  if (spans === 0 && traces.size > 0) {
    return 'There are log records in it, but no span. Read it together with the file that holds the spans of their traces.'
  }
  if (spans === 0) return 'There is no span in it.'
  const names = dialects.map(({ name }) => name).join(', ')
  const seen = [...operations].sort(([, a], [, b]) => b - a)
  const listed = seen.slice(0, LISTED).map(([operation, count]) => `${operation} ×${count}`)
  if (seen.length > LISTED) listed.push(`${seen.length - LISTED} more`)
  if (refused > 0) return `None of the ${calls} LLM calls in it could be read; see the other warnings.`
  if (calls > 0) {
    const others = listed.length === 0 ? '' : ` Other operations seen: ${listed.join(', ')}.`
    return `No LLM call that can be replayed: of ${calls === 1 ? 'the one call' : `the ${calls} calls`} in it, no input was recorded. Turn on the capture of message content in the instrumentation and record again.${advice === '' ? '' : ` ${advice}`}${others}`
  }
  return `No LLM call among its ${spans} spans. Operations seen: ${listed.join(', ')}. None is marked as an LLM call by a recorder known here: ${names}. With the OpenTelemetry conventions, ${CONVENTION}.`
}
