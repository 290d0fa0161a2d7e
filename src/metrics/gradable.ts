import { formatDuration } from '../base/index.ts'
import type { Measured } from './measured.ts'
import type { RunRecord } from './records.ts'

/** Whether figures can carry a verdict, and if not, why: the reason completes "not gradable: …". */
export type Gradable = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/**
 * A client this late, by both measures, has measured itself. They are wide on purpose: a hiccup of a busy machine must not
 * void a run.
 */
const MOST_LAG_MS = 50
const MOST_LAG_SHARE = 0.1
const MOST_EVENT_LOOP_DELAY_MS = 500

export function gradable(measured: Measured, record: RunRecord): Gradable {
  const reason = reasonAgainst(measured, record)
  return reason === undefined ? { ok: true } : { ok: false, reason }
}

function reasonAgainst(measured: Measured, { aborted, client }: RunRecord): string | undefined {
  if (aborted !== undefined) return `the run was aborted: ${aborted}`
  if (measured.sessions.length === 0) return 'no session ran'
  const { requests } = measured
  if (requests.length > 0 && requests.every(({ sentMs }) => sentMs === null)) return 'no request was sent'

  const latencyMs = measured.requestLatency.quantile(0.5, 'successful') ?? 0
  const lagMs = measured.scheduleLag.quantile(0.5) ?? 0
  if (lagMs > MOST_LAG_MS && lagMs > MOST_LAG_SHARE * latencyMs) {
    return `the load client could not keep up: half of its requests left ${formatDuration(lagMs)} late or later. Lower concurrentSessions, or give the client more CPU`
  }
  const delayMs = client.eventLoopDelayMs.p99
  if (delayMs > MOST_EVENT_LOOP_DELAY_MS && delayMs > MOST_LAG_SHARE * latencyMs) {
    return `the load client could not keep up: its event loop was ${formatDuration(delayMs)} late (p99). Lower concurrentSessions, or give the client more CPU`
  }
  return undefined
}
