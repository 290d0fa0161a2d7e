import { bootstrapIntervals, type Interval } from './bootstrap.ts'
import type { ComparedFigure, LatencyChange, Outcome, Tolerance } from './change.ts'
import { driftVariance } from './drift.ts'
import { type LogRatio, quantileLogRatio, trimmedMeanLogRatio, typicalMs, weightedQuantile } from './log-ratio.ts'
import { heaviest, type SessionPair } from './pair-sessions.ts'
import { type ComparedLatency, type PairedSample, pairedSamples } from './paired-samples.ts'
import { moreFailuresThanChance } from './success-rate-change.ts'

export interface LatencyQuestion {
  readonly metric: ComparedLatency
  readonly figure: ComparedFigure
  readonly tolerance: Tolerance
}

/** Share of the sessions, by recorded work, that are the tail. */
export const TAIL_SHARE = 0.2

/** More than this many times the sessions is not something one would run. */
const MOST_TIMES_MORE = 100
/** In standard errors: half of a 95 % interval, and what is detected four times out of five beyond it. */
const HALF_INTERVAL = 1.96
const POWER = 0.84

/**
 * Compares latencies pair by pair.
 *
 * @returns one change for each question, in their order
 */
export function compareLatencies(pairs: readonly SessionPair[], questions: readonly LatencyQuestion[]): LatencyChange[] {
  const tail = heaviest(pairs, TAIL_SHARE)
  const all = { sessions: pairs.length, failuresAreChance: !moreFailuresThanChance(pairs), drift: driftOf(pairs) }
  const answers = new Map([
    ...answer(
      pairs,
      all,
      questions.filter(({ figure }) => figure !== 'tail'),
    ),
    ...answer(
      tail,
      all,
      questions.filter(({ figure }) => figure === 'tail'),
    ),
  ])
  return questions.flatMap((question) => answers.get(question) ?? [])
}

/** What holds of all sessions, whichever of them a figure is over. */
interface Whole {
  readonly sessions: number
  readonly failuresAreChance: boolean
  /** Variance that drift adds to figures of this metric. */
  drift(metric: ComparedLatency): number
}

/** Questions over the same sessions share their draws. */
function answer(
  pairs: readonly SessionPair[],
  all: Whole,
  questions: readonly LatencyQuestion[],
): (readonly [LatencyQuestion, LatencyChange])[] {
  if (questions.length === 0) return []
  const figures = questions.map((question) => {
    const samples = pairedSamples(pairs, question.metric)
    return { question, samples, logRatio: logRatioOf(question.figure, samples) }
  })
  const intervals = bootstrapIntervals(
    figures.map(({ logRatio }) => logRatio),
    pairs.length,
  )
  return figures.map(({ question, samples, logRatio }, index) => {
    const drawn = intervals[index] ?? { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
    const estimate = logRatio(once(pairs))
    const interval = widen(drawn, estimate, all.drift(question.metric))
    return [question, changeOf(question, samples, all, estimate, interval)] as const
  })
}

/** Over all sessions, whichever of them a figure is over: what drifts is the machine. */
function driftOf(pairs: readonly SessionPair[]): (metric: ComparedLatency) => number {
  const found = new Map<ComparedLatency, number>()
  return (metric) => {
    const variance = found.get(metric) ?? driftVariance(pairedSamples(pairs, metric))
    found.set(metric, variance)
    return variance
  }
}

/** Adds the variance to what the draws gave, in proportion on either side. */
function widen({ low, high }: Interval, estimate: number, variance: number): Interval {
  const error = (high - low) / (2 * HALF_INTERVAL)
  if (variance === 0 || !Number.isFinite(error) || !Number.isFinite(estimate)) return { low, high }
  if (error === 0) {
    const reach = HALF_INTERVAL * Math.sqrt(variance)
    return { low: estimate - reach, high: estimate + reach }
  }
  const factor = Math.sqrt(1 + variance / error ** 2)
  return { low: estimate - (estimate - low) * factor, high: estimate + (high - estimate) * factor }
}

function once(pairs: readonly SessionPair[]): Uint16Array {
  return new Uint16Array(pairs.length).fill(1)
}

function logRatioOf(figure: ComparedFigure, samples: readonly PairedSample[]): LogRatio {
  return figure === 'typical' || figure === 'tail' ? trimmedMeanLogRatio(samples) : quantileLogRatio(samples, quantileOf(figure))
}

function quantileOf(figure: `p${number}`): number {
  return Number(figure.slice(1)) / 100
}

function changeOf(
  { metric, figure, tolerance }: LatencyQuestion,
  samples: readonly PairedSample[],
  all: Whole,
  logRatio: number,
  log: Interval,
): LatencyChange {
  const sessions = new Set(samples.map(({ cluster }) => cluster)).size
  const { baseMs, headMs } = levels(figure, samples, logRatio)
  const outcome = decide(tolerance, all.failuresAreChance, baseMs, headMs, log)
  const more = outcome === 'inconclusive' ? timesMore(Math.log1p(tolerance.relative), logRatio, log) : undefined
  const halfWidth = (log.high - log.low) / 2
  return {
    kind: 'latency',
    metric,
    figure,
    tolerance,
    outcome,
    baseMs,
    headMs,
    change: Math.expm1(logRatio),
    interval: { low: Math.expm1(log.low), high: Math.expm1(log.high) },
    detectable: Math.expm1(Math.log1p(tolerance.relative) + halfWidth * (1 + POWER / HALF_INTERVAL)),
    pairs: samples.length,
    sessions,
    ...(more === undefined ? {} : { sessionsToDecide: Math.ceil(more * all.sessions) }),
  }
}

function levels(figure: ComparedFigure, samples: readonly PairedSample[], logRatio: number): { baseMs: number; headMs: number } {
  if (figure === 'typical' || figure === 'tail') {
    const baseMs = typicalMs(samples)
    return { baseMs, headMs: baseMs * Math.exp(logRatio) }
  }
  const clusters = samples.reduce((most, { cluster }) => Math.max(most, cluster + 1), 0)
  const weights = new Uint16Array(clusters).fill(1)
  const q = quantileOf(figure)
  return {
    baseMs: weightedQuantile(samples, q, ({ baseMs }) => baseMs)(weights),
    headMs: weightedQuantile(samples, q, ({ headMs }) => headMs)(weights),
  }
}

function decide(
  { relative, absoluteMs }: Tolerance,
  failuresAreChance: boolean,
  baseMs: number,
  headMs: number,
  { low, high }: Interval,
): Outcome {
  const limit = Math.log1p(relative)
  if (low > limit && headMs - baseMs > absoluteMs) return 'regressed'
  // Failures that set the figure are as good as a latency, if they are no chance themselves.
  if (headMs - baseMs === Number.POSITIVE_INFINITY && !failuresAreChance) return 'regressed'
  const within = high <= limit || baseMs * Math.expm1(high) <= absoluteMs
  return within ? 'held' : 'inconclusive'
}

/** The interval narrows with the root of the number of sessions: how many times as many it takes to clear the limit. */
function timesMore(limit: number, estimate: number, { low, high }: Interval): number {
  const distance = Math.abs(estimate - limit)
  const reach = estimate > limit ? estimate - low : high - estimate
  const times = (reach / distance) ** 2
  return times <= MOST_TIMES_MORE ? times : Number.POSITIVE_INFINITY
}
