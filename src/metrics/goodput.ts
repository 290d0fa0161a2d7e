import type { RequestRecord, SessionRecord } from './records.ts'
import type { RequestList } from './request-list.ts'
import { normalizedTimePerOutputTokenMs, requestLatencyMs, timePerOutputTokenMs, timeToFirstTokenMs } from './request-metrics.ts'
import { workflowLatencyMs } from './session-metrics.ts'
import { busyMs } from './throughput.ts'

/** What a request, or a session, must keep to in order to count as good; in milliseconds. */
export interface GoodputConstraints {
  readonly ttft?: number
  readonly tpot?: number
  readonly ntpot?: number
  readonly requestLatency?: number
  /** Of the whole session: it then is sessions that are counted. */
  readonly workflowLatency?: number
}

export interface Goodput {
  /** What is counted. */
  readonly of: 'requests' | 'sessions'
  readonly total: number
  readonly good: number
  /** Good ÷ total, 0 to 1; `undefined` when there are none. */
  readonly share: number | undefined
  /** Good ones per second of the time that any request was under way; `undefined` when nothing was sent. */
  readonly perSecond: number | undefined
  readonly attainment: readonly Attainment[]
}

/** How one of several constraints was kept. */
export interface Attainment {
  readonly constraint: keyof GoodputConstraints
  readonly limitMs: number
  /** Share of all that are counted. */
  readonly share: number
  /** Whether any successful response carried the metric at all. */
  readonly carried: boolean
}

const OF_REQUEST = {
  ttft: timeToFirstTokenMs,
  tpot: timePerOutputTokenMs,
  ntpot: normalizedTimePerOutputTokenMs,
  requestLatency: requestLatencyMs,
} as const

/**
 * Goodput: the share, and the rate, of requests that meet every constraint; or of sessions, where `per` says so or the
 * workflow latency is constrained: such a session has succeeded, is quick enough, and so is each of its requests.
 *
 * What did not succeed meets nothing. A successful response that by its nature carries no figure (a single token has no
 * TPOT) meets the constraint on it.
 */
export function goodput(
  sessions: readonly SessionRecord[],
  requests: RequestList,
  constraints: GoodputConstraints,
  per: 'requests' | 'sessions' = constraints.workflowLatency === undefined ? 'requests' : 'sessions',
): Goodput {
  const given = entriesOf(constraints)
  const groups = per === 'requests' ? requests.map((request) => ({ requests: [request] })) : bySession(sessions, requests)
  const met = given.map(() => 0)
  let good = 0
  for (const group of groups) {
    let isGood = true
    for (const [index, [constraint, limitMs]] of given.entries()) {
      if (meets(group, constraint, limitMs)) met[index] = (met[index] ?? 0) + 1
      else isGood = false
    }
    if (isGood) good += 1
  }
  const total = groups.length
  const seconds = busyMs(requests) / 1_000
  return {
    of: per,
    total,
    good,
    share: total === 0 ? undefined : good / total,
    perSecond: seconds > 0 ? good / seconds : undefined,
    attainment: given.map(([constraint, limitMs], index) => ({
      constraint,
      limitMs,
      share: total === 0 ? 0 : (met[index] ?? 0) / total,
      carried:
        constraint === 'workflowLatency'
          ? sessions.some((session) => session.state === 'succeeded' && workflowLatencyMs(session) !== undefined)
          : requests.some((request) => request.state === 'succeeded' && OF_REQUEST[constraint](request) !== undefined),
    })),
  }
}

function entriesOf(constraints: GoodputConstraints): [keyof GoodputConstraints, number][] {
  return Object.entries(constraints).filter(([, limitMs]) => limitMs !== undefined) as [keyof GoodputConstraints, number][]
}

interface Counted {
  readonly requests: RequestList
  readonly session?: SessionRecord
}

function bySession(sessions: readonly SessionRecord[], requests: RequestList): Counted[] {
  const groups = new Map(
    sessions.map((session) => [`${session.stage} ${session.id}`, { session, requests: [] as RequestRecord[] }]),
  )
  for (const request of requests) groups.get(`${request.stage} ${request.session}`)?.requests.push(request)
  return [...groups.values()]
}

function meets({ session, requests }: Counted, constraint: keyof GoodputConstraints, limitMs: number): boolean {
  if (session !== undefined && session.state !== 'succeeded') return false
  if (constraint === 'workflowLatency') {
    return session !== undefined && (workflowLatencyMs(session) ?? Number.POSITIVE_INFINITY) <= limitMs
  }
  return requests.every((request) => request.state === 'succeeded' && (OF_REQUEST[constraint](request) ?? 0) <= limitMs)
}
