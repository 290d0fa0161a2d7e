import { inspect } from 'node:util'
import { type Duration, nearest, parseDuration, TraceReplayError } from '../../base/index.ts'
import type { Distribution, Over } from '../../metrics/index.ts'

/**
 * Ceilings on figures of a latency: percentiles from just above `p0` to just below `p100` (`p95`, `p99.9`), `max`, `mean`.
 * All given ones must hold. Each is a {@link Duration}: milliseconds, or text such as `'45s'`.
 */
export interface LatencyLimits {
  readonly p50?: Duration
  readonly p90?: Duration
  readonly p95?: Duration
  readonly p99?: Duration
  readonly max?: Duration
  readonly mean?: Duration
  readonly [percentile: `p${number}`]: Duration
}

export interface LatencyOptions {
  /**
   * `'all'`: failures count, as infinitely slow, so that a server cannot look faster by failing. `'successful'`: they are
   * left out.
   *
   * @default 'all'
   */
  readonly over?: Over
}

/** One ceiling: which figure of a distribution, and how high it may be. */
export interface LatencyLimit extends DistributionFigure {
  readonly limitMs: number
}

/** A figure that a distribution has. */
export interface DistributionFigure {
  /** `'p95'`, `'max'`, `'mean'` */
  readonly name: string
  /** The percentile as a quantile; `undefined` for `max` and `mean`, which every number of samples carries. */
  readonly quantile: number | undefined
  read(distribution: Distribution, over: Over): number | undefined
}

/**
 * @param matcher the matcher's name, for the error
 * @throws {TraceReplayError} `INVALID_OPTION`
 */
export function parseLatencyLimits(limits: unknown, matcher: string): LatencyLimit[] {
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits)) {
    throw misuse(`${matcher} takes an object of limits, not ${inspect(limits)}: \`{ p95: '45s' }\`.`)
  }
  const entries = Object.entries(limits).filter(([, limit]) => limit !== undefined)
  if (entries.length === 0) {
    throw misuse(
      `${matcher} has no limit to hold the run to. Give at least one of p50, p90, p95, p99, max, mean: \`{ p95: '45s' }\`.`,
    )
  }
  return entries.map(([name, limit]) => ({
    ...parseFigure(name, matcher),
    limitMs: parseLimit(limit, `${matcher}: \`${name}\``),
  }))
}

/** @throws {TraceReplayError} `INVALID_OPTION` */
export function parseLatencyOptions(options: unknown, matcher: string): { over: Over } {
  if (options === undefined) return { over: 'all' }
  if (typeof options !== 'object' || options === null) {
    throw misuse(`${matcher}: the second argument is ${inspect(options)}, expected \`{ over: 'successful' }\`.`)
  }
  for (const [name, value] of Object.entries(options)) {
    if (name !== 'over') throw misuse(`${matcher}: unknown option \`${name}\` in the second argument. Known: over.`)
    if (value !== undefined && value !== 'all' && value !== 'successful') {
      throw misuse(`${matcher}: \`over\` is ${inspect(value)}, expected 'all' | 'successful'.`)
    }
  }
  return { over: 'over' in options && options.over === 'successful' ? 'successful' : 'all' }
}

/**
 * @param name `'p95'`, `'max'`, `'mean'`
 * @throws {TraceReplayError} `INVALID_OPTION`
 */
export function parseFigure(name: string, matcher: string): DistributionFigure {
  if (name === 'max') return { name, quantile: undefined, read: (distribution, over) => distribution.max(over) }
  if (name === 'mean') return { name, quantile: undefined, read: (distribution, over) => distribution.mean(over) }
  if (name === 'over') throw misuse(`${matcher}: \`over\` is the second argument: \`${matcher}({ … }, { over: 'successful' })\`.`)
  const percent = /^p(\d+(?:\.\d+)?)$/.exec(name)?.[1]
  if (percent === undefined) throw misuse(`${matcher}: unknown limit \`${name}\`.${meant(name)}`)
  const quantile = Number(percent) / 100
  if (!(quantile > 0 && quantile < 1)) {
    const instead = quantile === 1 ? ' Use `max` for the slowest.' : ''
    throw misuse(`${matcher}: \`${name}\` is no percentile: it must lie between p0 and p100.${instead}`)
  }
  return { name, quantile, read: (distribution, over) => distribution.quantile(quantile, over) }
}

const NAMES = ['p50', 'p90', 'p95', 'p99', 'max', 'mean']
const SYNONYMS: Readonly<Record<string, string>> = { median: 'p50', average: 'mean', avg: 'mean', maximum: 'max' }

function meant(name: string): string {
  const close = (Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : undefined) ?? nearest(name, NAMES)
  return close === undefined ? ' Known: p50, p90, p95, p99 and other percentiles, max, mean.' : ` Did you mean \`${close}\`?`
}

function parseLimit(value: unknown, where: string): number {
  if (typeof value !== 'number' && typeof value !== 'string') {
    throw misuse(`${where} is ${inspect(value)}, expected milliseconds or text such as '45s'.`)
  }
  return parseDuration(value, where)
}

function misuse(message: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', message)
}
