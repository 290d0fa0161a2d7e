import { inspect } from 'node:util'
import { type Duration, formatDuration, nearest, parseDuration, TraceReplayError } from '../../base/index.ts'
import {
  type RequestRecord,
  requestLatencyMs,
  type SessionRecord,
  timePerOutputTokenMs,
  timeToFirstTokenMs,
  workflowLatencyMs,
} from '../../metrics/index.ts'

/** Ceilings on percentiles of a latency, such as `{ p95: '45s' }`. What failed ranks as infinitely slow. */
export interface PercentileLimits {
  readonly p50?: Duration
  readonly p90?: Duration
  readonly p95?: Duration
  readonly p99?: Duration
  readonly [percentile: `p${number}`]: Duration
}

/** What a target must keep to, at however many sessions. All of it must hold. */
export interface CapacitySlo {
  /** Share of sessions that succeed, above 0, up to 1. */
  readonly sessionSuccessRate?: number
  readonly workflowLatency?: PercentileLimits
  readonly requestLatency?: PercentileLimits
  readonly timeToFirstToken?: PercentileLimits
  readonly timePerOutputToken?: PercentileLimits
}

/** One limit of an SLO: a share of the sessions, or of the requests, that may break it. */
export type SloLimit = {
  /** `'workflow latency p95 ≤ 45s'` */
  readonly text: string
  readonly tolerated: number
} & (
  | { readonly of: 'sessions'; readonly latencyMs?: number; isBroken(session: SessionRecord): boolean }
  /** `undefined`: the response carried no such figure. */
  | { readonly of: 'requests'; isBroken(request: RequestRecord): boolean | undefined }
)

const REQUEST_METRICS = {
  requestLatency: { name: 'request latency', read: requestLatencyMs },
  timeToFirstToken: { name: 'TTFT', read: timeToFirstTokenMs },
  timePerOutputToken: { name: 'TPOT', read: timePerOutputTokenMs },
} as const
const KNOWN = ['sessionSuccessRate', 'workflowLatency', ...Object.keys(REQUEST_METRICS)]

/** @throws {TraceReplayError} `INVALID_OPTION` */
export function parseSlo(slo: unknown): SloLimit[] {
  if (typeof slo !== 'object' || slo === null || Array.isArray(slo)) {
    throw invalid(
      `\`slo\` is ${slo === undefined ? 'missing' : inspect(slo)}, expected an object such as { workflowLatency: { p95: '45s' } }.`,
    )
  }
  const entries = Object.entries(slo).filter(([, limit]) => limit !== undefined)
  if (entries.length === 0) throw invalid(`\`slo\` has no limit. Give at least one of ${KNOWN.join(', ')}.`)
  return entries.flatMap(([name, limit]): SloLimit[] => {
    if (name === 'sessionSuccessRate') return [successLimit(limit)]
    if (name === 'workflowLatency') return percentiles(name, limit).map((percentile) => workflowLimit(percentile))
    if (isRequestMetric(name)) return percentiles(name, limit).map((percentile) => requestLimit(name, percentile))
    const close = nearest(name, KNOWN)
    throw invalid(
      `unknown limit \`slo.${name}\`.${close === undefined ? ` Known: ${KNOWN.join(', ')}.` : ` Did you mean \`${close}\`?`}`,
    )
  })
}

function successLimit(rate: unknown): SloLimit {
  if (typeof rate !== 'number' || !(rate > 0 && rate <= 1)) {
    const meant = typeof rate === 'number' && rate > 1 && rate <= 100 ? ` Did you mean ${rate / 100}?` : ''
    throw invalid(`\`slo.sessionSuccessRate\` is ${inspect(rate)}, expected a rate above 0, up to 1.${meant}`)
  }
  return {
    of: 'sessions',
    text: `session success rate ≥ ${Number((rate * 100).toFixed(4))}%`,
    tolerated: 1 - rate,
    isBroken: ({ state }) => state !== 'succeeded',
  }
}

interface Percentile {
  readonly name: string
  readonly tolerated: number
  readonly limitMs: number
}

function workflowLimit({ name, tolerated, limitMs }: Percentile): SloLimit {
  return {
    of: 'sessions',
    text: `workflow latency ${name} ≤ ${formatDuration(limitMs)}`,
    tolerated,
    latencyMs: limitMs,
    isBroken: (session) => session.state !== 'succeeded' || (workflowLatencyMs(session) ?? 0) > limitMs,
  }
}

function requestLimit(metric: keyof typeof REQUEST_METRICS, { name, tolerated, limitMs }: Percentile): SloLimit {
  const { name: label, read } = REQUEST_METRICS[metric]
  return {
    of: 'requests',
    text: `${label} ${name} ≤ ${formatDuration(limitMs)}`,
    tolerated,
    isBroken(request) {
      if (request.state !== 'succeeded') return true
      const value = read(request)
      return value === undefined ? undefined : value > limitMs
    },
  }
}

function isRequestMetric(name: string): name is keyof typeof REQUEST_METRICS {
  return Object.hasOwn(REQUEST_METRICS, name)
}

function percentiles(metric: string, limits: unknown): Percentile[] {
  const entries =
    typeof limits === 'object' && limits !== null ? Object.entries(limits).filter(([, limit]) => limit !== undefined) : []
  if (entries.length === 0) throw invalid(`\`slo.${metric}\` is ${inspect(limits)}, expected percentiles such as { p95: '45s' }.`)
  return entries.map(([name, limit]) => {
    const percent = Number(/^p(\d+(?:\.\d+)?)$/.exec(name)?.[1])
    if (!(percent > 0 && percent < 100)) {
      throw invalid(`\`slo.${metric}.${name}\` is no percentile, expected p50, p90, p95, p99 or another below p100.`)
    }
    if (typeof limit !== 'number' && typeof limit !== 'string') {
      throw invalid(`\`slo.${metric}.${name}\` is ${inspect(limit)}, expected milliseconds or text such as '45s'.`)
    }
    return { name, tolerated: 1 - percent / 100, limitMs: parseDuration(limit, `slo.${metric}.${name}`) }
  })
}

function invalid(message: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', `findCapacity options: ${message}`)
}
