import type { Interval } from './bootstrap.ts'
import type { Outcome, SuccessRateChange } from './change.ts'
import { mcNemar } from './exact-test.ts'
import type { SessionPair } from './pair-sessions.ts'

/** One-sided: what a 95 % interval leaves on one side. */
const SIGNIFICANT = 0.025
const Z = 1.96
const MOST_TIMES_MORE = 100

/**
 * Compares the shares of sessions that succeeded. Only sessions that came out differently on the two sides tell them apart.
 * A drop beyond the tolerance is a regression if the exact test says so, inconclusive if it does not.
 */
export function compareSuccessRates(pairs: readonly SessionPair[], tolerance: number): SuccessRateChange {
  const succeeded = (side: 'base' | 'head') => pairs.filter((pair) => pair[side]?.state === 'succeeded').length
  const { lost, gained } = discordant(pairs)
  const sessions = pairs.length
  const probability = mcNemar(lost, gained)
  const drop = (lost - gained) / sessions
  const outcome = decide(drop, tolerance, probability)
  return {
    kind: 'success-rate',
    tolerance,
    outcome,
    base: succeeded('base') / sessions,
    head: succeeded('head') / sessions,
    change: lost === gained ? 0 : -drop,
    interval: adjustedWald(lost, gained, sessions),
    lost,
    gained,
    probability,
    detectable: Math.max(tolerance, (fewestLost(gained) - gained) / sessions),
    sessions,
    ...(outcome === 'inconclusive' ? { sessionsToDecide: sessionsToDecide(lost, gained, sessions) } : {}),
  }
}

/** Whether the head failed more sessions than the base, and more than chance would have it. */
export function moreFailuresThanChance(pairs: readonly SessionPair[]): boolean {
  const { lost, gained } = discordant(pairs)
  return mcNemar(lost, gained) <= SIGNIFICANT
}

function discordant(pairs: readonly SessionPair[]): { lost: number; gained: number } {
  let lost = 0
  let gained = 0
  for (const { base, head } of pairs) {
    const [before, after] = [base?.state === 'succeeded', head?.state === 'succeeded']
    if (before && !after) lost++
    if (after && !before) gained++
  }
  return { lost, gained }
}

function decide(drop: number, tolerance: number, probability: number): Outcome {
  if (drop <= tolerance) return 'held'
  return probability <= SIGNIFICANT ? 'regressed' : 'inconclusive'
}

/** Bonett and Price's interval for the difference of paired shares, which is sound for few and for no differences too. */
function adjustedWald(lost: number, gained: number, sessions: number): Interval {
  const worse = (lost + 1) / (sessions + 2)
  const better = (gained + 1) / (sessions + 2)
  const reach = Z * Math.sqrt(Math.max(0, worse + better - (worse - better) ** 2) / (sessions + 2))
  return { low: Math.max(-1, better - worse - reach), high: Math.min(1, better - worse + reach) }
}

/** Lost sessions from which the exact test speaks. */
function fewestLost(gained: number): number {
  let lost = gained + 1
  while (mcNemar(lost, gained) > SIGNIFICANT) lost++
  return lost
}

/** If sessions went on to be lost and gained in the same proportion. */
function sessionsToDecide(lost: number, gained: number, sessions: number): number {
  for (let times = 1.1; times <= MOST_TIMES_MORE; times += 0.1) {
    if (mcNemar(Math.round(lost * times), Math.round(gained * times)) <= SIGNIFICANT) return Math.ceil(sessions * times)
  }
  return Number.POSITIVE_INFINITY
}
