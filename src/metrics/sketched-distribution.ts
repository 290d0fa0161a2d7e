import { centroidLimit } from './digest.ts'
import { checkQuantile, type Distribution, type Over, rankOf } from './distribution.ts'
import type { DigestRecord } from './records.ts'

/** A {@link Distribution} over a sketch, with failures on top. Exact at both ends, and while every centroid is one sample. */
export class SketchedDistribution implements Distribution {
  readonly count: number
  readonly failures: number
  readonly #digest: DigestRecord

  constructor(digest: DigestRecord, failures: number) {
    this.#digest = digest
    this.failures = failures
    this.count = digest.count + failures
  }

  quantile(q: number, over: Over = 'all'): number | undefined {
    checkQuantile(q)
    const count = over === 'all' ? this.count : this.#digest.count
    if (count === 0) return undefined
    const rank = rankOf(q, count)
    return rank > this.#digest.count - 1 ? Number.POSITIVE_INFINITY : valueAt(this.#digest, rank)
  }

  min(over: Over = 'all'): number | undefined {
    return this.quantile(0, over)
  }

  max(over: Over = 'all'): number | undefined {
    return this.quantile(1, over)
  }

  mean(over: Over = 'all'): number | undefined {
    if (over === 'all' && this.failures > 0) return Number.POSITIVE_INFINITY
    const { count, centroids } = this.#digest
    return count === 0 ? undefined : centroids.reduce((sum, [mean, weight]) => sum + mean * weight, 0) / count
  }
}

/**
 * The samples of a centroid fill consecutive ranks, and its mean stands at the middle one; between means, and from them to
 * the exact minimum and maximum, the value rises in a straight line. A centroid heavier than any gathering of neighbours is
 * one value many times: it holds all of its ranks.
 */
function valueAt({ count, min, max, centroids }: DigestRecord, rank: number): number {
  let lowRank = 0
  let low = min ?? Number.NaN
  let before = 0
  for (const [mean, weight] of centroids) {
    const middle = before + (weight - 1) / 2
    const isOneValue = weight > Math.max(1, LIMIT_SLACK * centroidLimit(middle + 0.5, count))
    const [first, last] = isOneValue ? [before, before + weight - 1] : [middle, middle]
    if (rank < first) return between(lowRank, low, first, mean, rank)
    if (rank <= last) return mean
    lowRank = last
    low = mean
    before += weight
  }
  return between(lowRank, low, count - 1, max ?? Number.NaN, rank)
}

/** The sketch works with ranks that are a little out of date, and gathers a little more than its limit. */
const LIMIT_SLACK = 2

function between(lowRank: number, low: number, highRank: number, high: number, rank: number): number {
  return highRank <= lowRank ? high : low + ((rank - lowRank) / (highRank - lowRank)) * (high - low)
}
