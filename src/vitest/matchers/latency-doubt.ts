import { formatDuration } from '../../base/index.ts'
import {
  type ClientRecord,
  clientLag,
  type Distribution,
  ExactDistribution,
  type Measured,
  type Over,
  RELIEVE_THE_CLIENT,
  requestLatencyMs,
} from '../../metrics/index.ts'
import type { LatencyLimit } from './latency-limits.ts'
import type { LatencyMetric } from './latency-matcher.ts'

/** A lag below this share of the limit is noise: no verdict hangs on it. */
const NOISE_SHARE = 0.01
/** Up to here a figure is one of typical samples, which a typical delay of the event loop holds up. */
const TYPICAL_QUANTILE = 0.9

interface Question {
  readonly metric: LatencyMetric
  readonly measured: Measured
  readonly client: ClientRecord
  readonly distribution: Distribution
  readonly limit: LatencyLimit
  readonly over: Over
  readonly observedMs: number
}

/**
 * Why a verdict on a latency would be the load client's rather than the server's, or hang on sessions that were cut off
 * before they could have broken the limit. `undefined` when neither is so.
 */
export function doubtAbout(question: Question): string | undefined {
  const { observedMs, limit } = question
  if (observedMs > limit.limitMs) return cutShort(question) ?? slowedByClient(question)
  return heldBackByClient(question)
}

/** The limit is broken, but the figure less what the client added would not break it. */
function slowedByClient({ metric, measured, client, limit, over, observedMs }: Question): string | undefined {
  if (!Number.isFinite(observedMs)) return undefined
  const withoutMs =
    metric.sampled === 'sessions' ? limit.read(lagFree(measured), over) : observedMs - readingDelayMs(limit, client)
  if (withoutMs === undefined || withoutMs > limit.limitMs || isNoise(observedMs - withoutMs, limit)) return undefined
  const overMs = formatDuration(observedMs - limit.limitMs)
  const ownMs = formatDuration(observedMs - withoutMs)
  return `${metric.name} ${limit.name} is ${formatDuration(observedMs)}, ${overMs} over, but ${ownMs} of it are the load client's own delay. ${RELIEVE_THE_CLIENT}`
}

/**
 * The limit holds, but the client's lag between the calls spared the server some of the load. Had a server at its capacity
 * been asked sooner, the lag would have been spent in its queue instead. A workflow's latency contains the lag as it is.
 */
function heldBackByClient({ metric, measured, limit, observedMs }: Question): string | undefined {
  if (metric.sampled === 'sessions') return undefined
  const { meanMs, shareOfRequests } = clientLag(measured.requestList)
  const worstMs = metric.perToken ? observedMs / (1 - shareOfRequests) : observedMs + meanMs
  if (worstMs <= limit.limitMs || isNoise(worstMs - observedMs, limit)) return undefined
  const spareMs = formatDuration(limit.limitMs - observedMs)
  return `${metric.name} ${limit.name} is ${formatDuration(observedMs)}, ${spareMs} to spare, but the load client sent its requests ${formatDuration(meanMs)} late on average and so spared the server load. ${RELIEVE_THE_CLIENT}`
}

/** Among those that rank as infinitely slow are some that nobody let run for long enough to know. */
function cutShort({ metric, measured, distribution, limit, over, observedMs }: Question): string | undefined {
  if (over === 'successful' || Number.isFinite(observedMs)) return undefined
  const { count, subject } = undecided(metric, measured, distribution, limit.limitMs)
  const bestMs = count === 0 ? undefined : limit.read(withInstant(distribution, count), over)
  if (bestMs === undefined || bestMs > limit.limitMs) return undefined
  return `${subject} cut off before ${metric.name} could have exceeded ${formatDuration(limit.limitMs)}, and ${limit.name} hangs on that. Give the stage a longer timeout`
}

/** The same samples, with so many of the infinitely slow ones as fast as can be. */
function withInstant(distribution: Distribution, instant: number): Distribution {
  const { count } = distribution
  const failures = distribution.failures - instant
  const quantile = (q: number) => {
    const rank = q * (count - 1) - instant
    return rank < 0 ? 0 : distribution.quantile(rank / (count - 1))
  }
  const finiteSum = (distribution.mean('successful') ?? 0) * (count - distribution.failures)
  return {
    count,
    failures,
    quantile,
    min: () => 0,
    max: () => quantile(1),
    mean: () => (failures > 0 ? Number.POSITIVE_INFINITY : finiteSum / count),
  }
}

function undecided({ sampled, name }: LatencyMetric, measured: Measured, { failures }: Distribution, limitMs: number) {
  if (sampled === 'sessions') {
    const count = measured.sessions.filter(
      ({ state, startMs, endMs }) => state === 'cut-off' && (startMs === null || endMs - startMs <= limitMs),
    ).length
    return { count, subject: `${count} ${count === 1 ? 'session was' : 'sessions were'}` }
  }
  const unsuccessful = measured.requestList.filter(({ state }) => state !== 'succeeded')
  const cut = unsuccessful.filter(
    (request) => request.state === 'cut-off' && !(name === 'request latency' && (requestLatencyMs(request) ?? 0) > limitMs),
  ).length
  // A request weighs as many gaps as it should have had, which only the distribution knows.
  const count = sampled === 'gaps' ? Math.round((failures * cut) / Math.max(1, unsuccessful.length)) : cut
  return { count, subject: `${cut} ${cut === 1 ? 'request was' : 'requests were'}` }
}

/** Workflow latencies, each without the client's share of it. */
function lagFree({ breakdowns }: Measured): Distribution {
  return new ExactDistribution(
    breakdowns.map(({ state, latencyMs, clientDelayMs }) =>
      state === 'succeeded' ? latencyMs - clientDelayMs : Number.POSITIVE_INFINITY,
    ),
  )
}

/** How late the client may have read what had arrived. */
function readingDelayMs({ name, quantile }: LatencyLimit, { eventLoopDelayMs }: ClientRecord): number {
  if (name === 'max') return eventLoopDelayMs.max
  return quantile === undefined || quantile <= TYPICAL_QUANTILE ? eventLoopDelayMs.p50 : eventLoopDelayMs.p99
}

function isNoise(lagMs: number, { limitMs }: LatencyLimit): boolean {
  return lagMs <= NOISE_SHARE * limitMs
}
