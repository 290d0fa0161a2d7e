import { binomialDistribution } from 'simple-statistics'

/**
 * Exact one-sided McNemar test: of the pairs that came out differently on the two sides, how probable it is that at least
 * `lost` are worse on the head if neither side is worse.
 *
 * @param lost pairs that succeeded on the base and failed on the head
 * @param gained pairs that failed on the base and succeeded on the head
 */
export function mcNemar(lost: number, gained: number): number {
  return lost === 0 ? 1 : 1 - cumulative(lost + gained, 0.5, lost - 1)
}

/** P(X ≤ most) for X of a binomial distribution. */
export function cumulative(trials: number, probability: number, most: number): number {
  if (most < 0) return 0
  if (most >= trials) return 1
  // The table ends where what is left has no weight.
  const table = binomialDistribution(trials, probability) ?? []
  let sum = 0
  for (let i = 0; i <= most && i < table.length; i++) sum += table[i] ?? 0
  return Math.min(1, sum)
}
