import type { PairedSample } from './paired-samples.ts'

/** Sessions in a stretch of time, at least, and stretches at most. */
const LEAST_IN_STRETCH = 12
const MOST_STRETCHES = 4
const CLIPPED_SHARE = 0.1

/**
 * Variance that drift adds to a mean of logarithms of ratios. Sessions that ran at the same time on a machine that drifts
 * are slow together, which draws of single sessions cannot know. So the sessions are cut into stretches of time: where the
 * means of the stretches differ by more than sessions differ within them, the rest is drift.
 *
 * @param samples in the order in which their sessions (`cluster`) ran
 */
export function driftVariance(samples: readonly PairedSample[]): number {
  const sessions = sessionMeans(samples)
  const stretches = Math.min(MOST_STRETCHES, Math.floor(sessions.length / LEAST_IN_STRETCH))
  if (stretches < 2) return 0
  const clipped = clip(sessions)
  const parts = Array.from({ length: stretches }, (_, index) =>
    clipped.slice(Math.round((index * clipped.length) / stretches), Math.round(((index + 1) * clipped.length) / stretches)),
  )
  const within = mean(parts.map(variance))
  const between = variance(parts.map(mean))
  return Math.max(0, between - (within * stretches) / clipped.length) / stretches
}

/** One value for each session, in order: the mean over its samples. Failures have none. */
function sessionMeans(samples: readonly PairedSample[]): number[] {
  const sums = new Map<number, { sum: number; count: number }>()
  for (const { cluster, baseMs, headMs } of samples) {
    if (!(Number.isFinite(baseMs) && Number.isFinite(headMs) && baseMs > 0 && headMs > 0)) continue
    const { sum, count } = sums.get(cluster) ?? { sum: 0, count: 0 }
    sums.set(cluster, { sum: sum + Math.log(headMs / baseMs), count: count + 1 })
  }
  return [...sums].sort(([a], [b]) => a - b).map(([, { sum, count }]) => sum / count)
}

/** Stragglers are no drift. */
function clip(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b)
  const index = Math.floor(sorted.length * CLIPPED_SHARE)
  const [low, high] = [sorted[index] ?? 0, sorted[sorted.length - 1 - index] ?? 0]
  return values.map((value) => Math.min(Math.max(value, low), high))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function variance(values: readonly number[]): number {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}
