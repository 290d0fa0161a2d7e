import type { PairedSample } from './paired-samples.ts'

/**
 * The logarithm of how many times slower the head is than the base, by one figure, under the weights with which the
 * sessions were drawn. `Infinity` where failures set the head's figure, `-Infinity` the base's, `NaN` where they set both.
 */
export type LogRatio = (weights: Uint16Array) => number

/** Left out at either end of the sorted ratios. */
export const TRIMMED_SHARE = 0.1

/**
 * Mean of the logarithms of each pair's ratio: the geometric mean of the ratios, less the tenth of them at either end, where
 * the stragglers are, which are few, far out, and as likely on one side as on the other.
 *
 * Failures of the two sides cancel out one for one. What the head has more ranks as infinitely slower: up to a tenth it is
 * left out, and the success rate's to judge; beyond it makes the whole infinite. What the base has more excuses nothing.
 */
export function trimmedMeanLogRatio(samples: readonly PairedSample[]): LogRatio {
  const finite = samples
    .filter(({ baseMs, headMs }) => Number.isFinite(baseMs) && Number.isFinite(headMs))
    .map(({ cluster, baseMs, headMs }) => ({ cluster, value: logRatio(baseMs, headMs) }))
    .sort((a, b) => a.value - b.value)
  const values = Float64Array.from(finite, ({ value }) => value)
  const clusters = Uint32Array.from(finite, ({ cluster }) => cluster)
  const succeeded = countByCluster(finite)
  const lost = countByCluster(samples.filter(({ headMs }) => headMs === Number.POSITIVE_INFINITY))
  const gained = countByCluster(samples.filter(({ baseMs }) => baseMs === Number.POSITIVE_INFINITY))
  // Runs a thousand times for each figure: a plain loop, nothing allocated.
  return (weights) => {
    const infinite = Math.max(0, totalWeight(lost, weights) - totalWeight(gained, weights))
    const total = totalWeight(succeeded, weights) + infinite
    const from = total * TRIMMED_SHARE
    const to = total - from
    if (infinite > from) return Number.POSITIVE_INFINITY
    let passed = 0
    let index = 0
    let weight = 0
    for (; index < clusters.length; index++) {
      weight = weights[clusters[index] as number] as number
      if (passed + weight > from) break
      passed += weight
    }
    if (index === clusters.length) return Number.NaN
    // The first that counts may count in part, and so may the last.
    let sum = (Math.min(passed + weight, to) - from) * (values[index] as number)
    passed += weight
    for (index++; index < clusters.length; index++) {
      weight = weights[clusters[index] as number] as number
      if (passed + weight > to) break
      sum += weight * (values[index] as number)
      passed += weight
    }
    if (passed < to && index < clusters.length) sum += (to - passed) * (values[index] as number)
    return sum / (to - from)
  }
}

function countByCluster(samples: readonly { readonly cluster: number }[]): Uint32Array {
  const clusters = samples.reduce((most, { cluster }) => Math.max(most, cluster + 1), 0)
  const counts = new Uint32Array(clusters)
  for (const { cluster } of samples) counts[cluster] = (counts[cluster] as number) + 1
  return counts
}

function totalWeight(counts: Uint32Array, weights: Uint16Array): number {
  let total = 0
  for (let i = 0; i < counts.length; i++) total += (counts[i] as number) * (weights[i] as number)
  return total
}

/** The head's quantile over the base's; each rank interpolated as in the reports (type 7). */
export function quantileLogRatio(samples: readonly PairedSample[], q: number): LogRatio {
  const base = weightedQuantile(samples, q, ({ baseMs }) => baseMs)
  const head = weightedQuantile(samples, q, ({ headMs }) => headMs)
  return (weights) => {
    const baseMs = base(weights)
    const headMs = head(weights)
    return baseMs === Number.POSITIVE_INFINITY && headMs === Number.POSITIVE_INFINITY ? Number.NaN : logRatio(baseMs, headMs)
  }
}

export function weightedQuantile(
  samples: readonly PairedSample[],
  q: number,
  read: (sample: PairedSample) => number,
): (weights: Uint16Array) => number {
  const sorted = samples.toSorted((a, b) => compare(read(a), read(b)))
  const values = Float64Array.from(sorted, read)
  const clusters = Uint32Array.from(sorted, ({ cluster }) => cluster)
  const counts = countByCluster(samples)
  return (weights) => {
    const rank = q * (totalWeight(counts, weights) - 1)
    const below = Math.floor(rank + 1e-9)
    let passed = 0
    for (let i = 0; i < clusters.length; i++) {
      passed += weights[clusters[i] as number] as number
      if (passed <= below) continue
      const low = values[i] as number
      const share = rank - below
      if (passed > below + 1 || share <= 1e-9) return low
      let next = i + 1
      while (next < clusters.length && weights[clusters[next] as number] === 0) next++
      const high = values[next] ?? low
      return high === Number.POSITIVE_INFINITY ? high : low + share * (high - low)
    }
    return Number.NaN
  }
}

/** The geometric mean of the base, over the pairs that succeeded on it: the level that a ratio is of. */
export function typicalMs(samples: readonly PairedSample[]): number {
  const succeeded = samples.filter(({ baseMs }) => Number.isFinite(baseMs))
  if (succeeded.length === 0) return samples.length === 0 ? Number.NaN : Number.POSITIVE_INFINITY
  return Math.exp(succeeded.reduce((sum, { baseMs }) => sum + Math.log(Math.max(baseMs, LEAST_MS)), 0) / succeeded.length)
}

function logRatio(baseMs: number, headMs: number): number {
  if (headMs === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY
  if (baseMs === Number.POSITIVE_INFINITY) return Number.NEGATIVE_INFINITY
  // A latency below the clock's resolution reads as zero.
  return Math.log(Math.max(headMs, LEAST_MS) / Math.max(baseMs, LEAST_MS))
}

const LEAST_MS = 1e-3

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
