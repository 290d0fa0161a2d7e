import { type Random, seededRandom } from '../base/index.ts'
import type { LogRatio } from './log-ratio.ts'

/** Where the true value lies, with the confidence that was asked for. */
export interface Interval {
  readonly low: number
  readonly high: number
}

export const CONFIDENCE = 0.95
export const ROUNDS = 1_000
const SEED = 20_260_301

/**
 * 95 % intervals of several figures by the bootstrap: whole sessions are drawn with replacement, with all their calls, as
 * the calls of one session are not independent of each other. Percentiles of what the draws give, widened by what they are
 * known to lack when sessions are few. The seed is fixed: the same runs give the same interval.
 *
 * @param clusters how many sessions there are to draw from
 */
export function bootstrapIntervals(figures: readonly LogRatio[], clusters: number): Interval[] {
  const drawn = figures.map(() => new Float64Array(ROUNDS))
  const random = seededRandom(SEED, clusters)
  const weights = new Uint16Array(clusters)
  const all = new Uint16Array(clusters).fill(1)
  const estimates = figures.map((figure) => figure(all))
  for (let round = 0; round < ROUNDS; round++) {
    draw(weights, random)
    for (const [index, figure] of figures.entries()) (drawn[index] as Float64Array)[round] = figure(weights)
  }
  return drawn.map((values, index) => percentiles(values, estimates[index] as number, clusters))
}

function draw(weights: Uint16Array, random: Random): void {
  weights.fill(0)
  for (let i = 0; i < weights.length; i++) {
    const chosen = Math.floor(random() * weights.length)
    weights[chosen] = (weights[chosen] as number) + 1
  }
}

function percentiles(values: Float64Array, estimate: number, clusters: number): Interval {
  // A draw in which failures set both sides says nothing: it could be either way.
  const low = quantile(
    values.map((value) => (Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value)).sort(),
    (1 - CONFIDENCE) / 2,
  )
  const high = quantile(
    values.map((value) => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : value)).sort(),
    (1 + CONFIDENCE) / 2,
  )
  if (!Number.isFinite(estimate)) return { low, high }
  const widened = smallSampleFactor(clusters)
  return { low: estimate - (estimate - low) * widened, high: estimate + (high - estimate) * widened }
}

function quantile(sorted: Float64Array, q: number): number {
  return sorted[Math.round(q * (sorted.length - 1))] as number
}

/**
 * Percentile intervals of a mean are too narrow by √((n − 1) ÷ n), for the spread is taken about the sample's own mean, and
 * by z ÷ t, for it is itself an estimate. (For t: its expansion in 1 ÷ degrees of freedom.)
 */
export function smallSampleFactor(clusters: number): number {
  const degrees = Math.max(1, clusters - 1)
  const z = 1.96
  const t = z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2)
  return Math.sqrt((degrees + 1) / degrees) * (t / z)
}
