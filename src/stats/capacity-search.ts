import { cumulative } from './exact-test.ts'

/** One limit of an SLO, held against one measurement: how many samples there were, and how many broke it. */
export interface Trial {
  /** `'workflow latency p95 ≤ 45s'` */
  readonly limit: string
  readonly samples: number
  readonly broken: number
  /** Share that may be: 0.05 for a p95. */
  readonly tolerated: number
}

/** How many sessions at once were tried, and what came of it, all measurements of it together. */
export interface Level<Measurement> {
  readonly concurrentSessions: number
  readonly measurements: readonly Measurement[]
  /** One for each limit. */
  readonly trials: readonly Trial[]
  /** Every limit holds. */
  readonly met: boolean
  /** With 95 % confidence it is no chance. */
  readonly certain: boolean
}

export interface SearchBounds {
  readonly from: number
  readonly to: number
  /** The search ends when the lowest failing level is at most this share above the highest passing one. */
  readonly precision: number
  /** How often a level at the edge is measured at most. */
  readonly repeats: number
  readonly mostMeasurements: number
}

/**
 * `'found'`: the edge lies between two levels that were tried. `'above-range'`: the highest level asked for still holds.
 * `'below-range'`: not even the lowest does. `'unfinished'`: it was stopped before its answer was as precise as asked for.
 */
export type SearchOutcome = 'found' | 'above-range' | 'below-range' | 'unfinished'

export interface SearchResult<Measurement> {
  readonly outcome: SearchOutcome
  /** The most sessions at once that meet the SLO; 0 when none that was tried does. */
  readonly highestMet: number
  /** The fewest that do not; `undefined` when all that were tried do. */
  readonly lowestFailed: number | undefined
  /** Lowest first. */
  readonly levels: readonly Level<Measurement>[]
}

/**
 * Looks for the highest level that holds: doubles until one fails, halves the gap on a logarithmic scale until it is small
 * enough, then measures the two levels at the edge again, until each is certain or has been measured `repeats` times. A
 * level that turns out otherwise moves the edge, and the search goes on from there.
 *
 * Levels are judged together, since more load is never easier: where a lower one came out worse than a higher one, both
 * count as what they are on average.
 *
 * @param measure one measurement at so many sessions; `undefined` to stop
 */
export async function searchCapacity<Measurement extends { readonly trials: readonly Trial[] }>(
  { from, to, precision, repeats, mostMeasurements }: SearchBounds,
  measure: (concurrentSessions: number) => Promise<Measurement | undefined>,
): Promise<SearchResult<Measurement>> {
  const measured = new Map<number, Measurement[]>()
  for (let count = 0; ; count++) {
    const levels = judgeLevels(measured)
    const edge = edgeOf(levels)
    const next = nextLevel(levels, edge, { from, to, precision, repeats })
    if (next === undefined) return { ...edge, outcome: outcomeOf(edge, to), levels }
    const measurement = count < mostMeasurements ? await measure(next) : undefined
    if (measurement === undefined) return { ...edge, outcome: 'unfinished', levels }
    const known = measured.get(next)
    if (known === undefined) measured.set(next, [measurement])
    else known.push(measurement)
  }
}

interface Edge {
  readonly highestMet: number
  readonly lowestFailed: number | undefined
}

function nextLevel(
  levels: readonly Level<unknown>[],
  { highestMet, lowestFailed }: Edge,
  { from, to, precision, repeats }: Omit<SearchBounds, 'mostMeasurements'>,
): number | undefined {
  if (levels.length === 0) return from
  if (lowestFailed === undefined && highestMet < to) return Math.min(to, 2 * highestMet)
  if (lowestFailed !== undefined && highestMet > 0) {
    if (lowestFailed - highestMet > 1 && lowestFailed > highestMet * (1 + precision)) {
      return Math.min(lowestFailed - 1, Math.max(highestMet + 1, Math.round(Math.sqrt(highestMet * lowestFailed))))
    }
  }
  const open = levels.filter(
    ({ concurrentSessions, certain, measurements }) =>
      (concurrentSessions === highestMet || concurrentSessions === lowestFailed) && !certain && measurements.length < repeats,
  )
  return open.toSorted((a, b) => a.measurements.length - b.measurements.length)[0]?.concurrentSessions
}

function outcomeOf({ highestMet, lowestFailed }: Edge, to: number): SearchOutcome {
  if (highestMet === 0) return 'below-range'
  return lowestFailed === undefined && highestMet === to ? 'above-range' : 'found'
}

function edgeOf(levels: readonly Level<unknown>[]): Edge {
  return {
    highestMet: levels.findLast(({ met }) => met)?.concurrentSessions ?? 0,
    lowestFailed: levels.find(({ met }) => !met)?.concurrentSessions,
  }
}

function judgeLevels<Measurement extends { readonly trials: readonly Trial[] }>(
  measured: ReadonlyMap<number, readonly Measurement[]>,
): Level<Measurement>[] {
  const levels = [...measured]
    .sort(([a], [b]) => a - b)
    .map(([concurrentSessions, measurements]) => ({ concurrentSessions, measurements, trials: pool(measurements) }))
  const excess = neverFalling(levels.map(({ trials }) => ({ value: excessOf(trials), weight: weightOf(trials) })))
  return levels.map((level, index) => {
    const met = (excess[index] ?? 0) <= 1e-9
    return { ...level, met, certain: isCertain(level.trials, met) }
  })
}

function pool(measurements: readonly { readonly trials: readonly Trial[] }[]): Trial[] {
  const pooled = new Map<string, Trial>()
  for (const trial of measurements.flatMap(({ trials }) => trials)) {
    const { samples, broken } = pooled.get(trial.limit) ?? { samples: 0, broken: 0 }
    pooled.set(trial.limit, { ...trial, samples: samples + trial.samples, broken: broken + trial.broken })
  }
  return [...pooled.values()]
}

/** By how much the limit that is broken most is: a share of the samples beyond what is tolerated. */
function excessOf(trials: readonly Trial[]): number {
  // What no sample carries has not been met.
  return Math.max(...trials.map(({ samples, broken, tolerated }) => (samples === 0 ? 1 : broken / samples - tolerated)))
}

function weightOf(trials: readonly Trial[]): number {
  return Math.max(1, ...trials.map(({ samples }) => samples))
}

/** The nearest sequence that never falls (pool adjacent violators). */
function neverFalling(points: readonly { readonly value: number; readonly weight: number }[]): number[] {
  const blocks: { value: number; weight: number; count: number }[] = []
  for (const { value, weight } of points) {
    let block = { value, weight, count: 1 }
    for (let last = blocks.at(-1); last !== undefined && last.value > block.value; last = blocks.at(-1)) {
      blocks.pop()
      const weight = last.weight + block.weight
      block = { value: (last.value * last.weight + block.value * block.weight) / weight, weight, count: last.count + block.count }
    }
    blocks.push(block)
  }
  return blocks.flatMap(({ value, count }) => new Array<number>(count).fill(value))
}

const CHANCE = 0.05

function isCertain(trials: readonly Trial[], met: boolean): boolean {
  return met ? trials.every(isSurelyMet) : trials.some(isSurelyBroken)
}

/** So few would break it by chance in one of twenty measurements, if just as many as tolerated did in truth. */
function isSurelyMet({ samples, broken, tolerated }: Trial): boolean {
  return tolerated === 0 ? broken === 0 : cumulative(samples, tolerated, broken) <= CHANCE
}

/** So many would break it by chance in one of twenty measurements at most. */
export function isSurelyBroken({ samples, broken, tolerated }: Omit<Trial, 'limit'>): boolean {
  return samples === 0 || (broken > 0 && 1 - cumulative(samples, tolerated, broken - 1) <= CHANCE)
}
