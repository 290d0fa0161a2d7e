import { formatDuration } from '../base/index.ts'
import { clientLag } from './client-lag.ts'
import type { RunRecord, SessionRecord, StageRecord } from './records.ts'
import type { PartOfRun } from './slice.ts'

/** Whether figures can carry a verdict, and if not, why: the reason completes "not gradable: …". */
export type Gradable = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/**
 * A client this late by both measures brought no load worth the name. Lesser lags are no reason by themselves: whether one
 * matters depends on how close a figure is to its limit, which each matcher weighs.
 */
const HOPELESS_LAG_MS = 1_000
const HOPELESS_LAG_SHARE = 0.5

/** Starts that fell behind this much, by both measures, were not the rate asked for. */
const LEAST_RATE_SHARE = 0.9
const MOST_DELAY_MS = 1_000

/** What to do about a client that cannot keep up. */
export const RELIEVE_THE_CLIENT = 'Lower concurrentSessions, or give the client more CPU'

/** @param part what the figures are taken over */
export function gradable(part: PartOfRun, record: RunRecord): Gradable {
  const reason = reasonAgainst(part, record)
  return reason === undefined ? { ok: true } : { ok: false, reason }
}

function reasonAgainst({ stages, sessions, requests }: PartOfRun, record: RunRecord): string | undefined {
  if (record.aborted !== undefined) return `the run was aborted: ${record.aborted}`
  const sessionsOf = ({ index }: StageRecord) => record.sessions.filter(({ stage }) => stage === index)
  const cutShort = stages.map((stage) => neverStarted(stage, sessionsOf(stage).length)).find((reason) => reason !== undefined)
  if (cutShort !== undefined) return cutShort
  if (sessions.length === 0) return 'no session ran'
  const exhausted = requests.filter(({ error }) => error?.label === 'client_exhausted').length
  if (exhausted > 0) {
    return `the load client had no descriptor or port left for ${exhausted} of its ${requests.length} requests. Lower concurrentSessions, or raise the limit (\`ulimit -n\`)`
  }
  if (requests.length > 0 && requests.every(({ sentMs }) => sentMs === null)) return 'no request was sent'
  const slow = stages.map((stage) => slowStarts(stage, sessionsOf(stage))).find((reason) => reason !== undefined)
  if (slow !== undefined) return slow
  const { meanMs, shareOfSessions } = clientLag(requests)
  if (meanMs > HOPELESS_LAG_MS && shareOfSessions > HOPELESS_LAG_SHARE) {
    return `the load client could not keep up: its requests left ${formatDuration(meanMs)} late on average. ${RELIEVE_THE_CLIENT}`
  }
  const { p50 } = record.client.eventLoopDelayMs
  if (p50 > HOPELESS_LAG_MS) {
    return `the load client could not keep up: its event loop was ${formatDuration(p50)} late most of the time. ${RELIEVE_THE_CLIENT}`
  }
  return undefined
}

function neverStarted({ index, neverStarted = 0 }: StageRecord, started: number): string | undefined {
  if (neverStarted === 0) return undefined
  return `${neverStarted} of the ${neverStarted + started} sessions asked for in stage ${index + 1} never started, because its timeout had passed. Give it a longer timeout, or fewer sessions`
}

/** Whoever held them up, sessions that began later and later were another load than the one asked for. */
function slowStarts({ index, sessionRate }: StageRecord, sessions: readonly SessionRecord[]): string | undefined {
  if (sessionRate === null || sessions.length < 2) return undefined
  const firstMs = sessions.reduce((first, { intendedMs }) => Math.min(first, intendedMs), Number.POSITIVE_INFINITY)
  const plannedMs = sessions.reduce((last, { intendedMs }) => Math.max(last, intendedMs), 0) - firstMs
  const tookMs = sessions.reduce((last, { startMs }) => Math.max(last, startMs ?? 0), 0) - firstMs
  if (tookMs - plannedMs <= MOST_DELAY_MS || plannedMs >= LEAST_RATE_SHARE * tookMs) return undefined
  const achieved = Number(((sessionRate * plannedMs) / tookMs).toPrecision(3))
  return `stage ${index + 1} was to start ${sessionRate} sessions a second and started ${achieved}. Raise its concurrentSessions, which hold back what arrives, or ask for a lower sessionRate`
}
