/**
 * Which samples a figure is taken over. `'all'` counts failures, which rank as infinitely slow: a server cannot look faster
 * by failing. `'successful'` leaves them out.
 */
export type Over = 'all' | 'successful'

/**
 * Samples of one metric, in milliseconds, with failures on top as infinitely slow. What no sample carries is `undefined`,
 * never `NaN`.
 */
export interface Distribution {
  /** All samples, failures included. */
  readonly count: number
  /** Why there is no sample, where none was kept rather than none measured. */
  readonly absent?: string
  /** Samples that rank as infinitely slow. */
  readonly failures: number
  /**
   * The value at rank `q`, 0 ≤ q ≤ 1: linear between neighbouring ranks (type 7). `Infinity` where the rank falls on a
   * failure or between the slowest success and a failure.
   *
   * @example run.workflowLatency.quantile(0.95)
   */
  quantile(q: number, over?: Over): number | undefined
  min(over?: Over): number | undefined
  max(over?: Over): number | undefined
  /** `Infinity` as soon as one sample failed, unless taken over the successful. */
  mean(over?: Over): number | undefined
}

/** Every sample is kept: quantiles are exact. */
export class ExactDistribution implements Distribution {
  readonly count: number
  readonly failures: number
  readonly #sorted: Float64Array

  /** @param samples in any order; `Infinity` is a failure, `NaN` is refused */
  constructor(samples: ArrayLike<number>) {
    const sorted = new Float64Array(samples).sort()
    const [least = 0] = sorted
    // `NaN` sorts last, beyond `Infinity`.
    const greatest = sorted[sorted.length - 1] ?? 0
    for (const sample of [least, greatest]) {
      if (Number.isNaN(sample) || sample === Number.NEGATIVE_INFINITY) throw new RangeError(`${sample} is not a sample`)
    }
    const firstFailure = sorted.indexOf(Number.POSITIVE_INFINITY)
    this.#sorted = firstFailure === -1 ? sorted : sorted.slice(0, firstFailure)
    this.count = sorted.length
    this.failures = sorted.length - this.#sorted.length
  }

  quantile(q: number, over: Over = 'all'): number | undefined {
    checkQuantile(q)
    const sorted = this.#sorted
    const count = over === 'all' ? this.count : sorted.length
    if (count === 0) return undefined
    const rank = rankOf(q, count)
    const below = Math.floor(rank)
    const low = sorted[below] ?? Number.POSITIVE_INFINITY
    if (rank === below) return low
    const high = sorted[below + 1] ?? Number.POSITIVE_INFINITY
    return high === Number.POSITIVE_INFINITY ? high : low + (rank - below) * (high - low)
  }

  min(over: Over = 'all'): number | undefined {
    return this.quantile(0, over)
  }

  max(over: Over = 'all'): number | undefined {
    return this.quantile(1, over)
  }

  mean(over: Over = 'all'): number | undefined {
    if (over === 'all' && this.failures > 0) return Number.POSITIVE_INFINITY
    const sorted = this.#sorted
    return sorted.length === 0 ? undefined : sorted.reduce((sum, value) => sum + value, 0) / sorted.length
  }
}

/** No sample was kept, for a reason that a reader should know. */
export class AbsentDistribution extends ExactDistribution {
  readonly absent: string

  constructor(reason: string) {
    super([])
    this.absent = reason
  }
}

/** @throws {RangeError} unless 0 ≤ q ≤ 1 */
export function checkQuantile(q: number): void {
  if (!(q >= 0 && q <= 1)) throw new RangeError(`a quantile is between 0 and 1, not ${q}`)
}

/**
 * Type 7: the ranks 0 … count − 1 are spread evenly over 0 … 1. A rank that misses a whole number only by the rounding of
 * `q × (count − 1)`, as 0.55 × 100 does, is that number: the next rank up may be a failure.
 */
export function rankOf(q: number, count: number): number {
  const rank = q * (count - 1)
  const whole = Math.round(rank)
  return Math.abs(rank - whole) <= 1e-12 * count ? whole : rank
}

/** Samples below which the quantile is little more than the maximum: 20 for p95, 100 for p99. */
export function requiredSamples(q: number): number {
  checkQuantile(q)
  if (q === 1) return 1
  // 1 / (1 − 0.95) is 19.999…: the rounding absorbs it.
  return Math.ceil(Number((1 / (1 - q)).toFixed(6)))
}

/** Whether `count` samples carry the quantile `q`. */
export function enoughSamples(q: number, count: number): boolean {
  return count >= requiredSamples(q)
}
