import type { Measured } from '../../metrics/index.ts'
import { formatFigure } from '../../report/index.ts'
import type { Figure } from '../matchers/judge.ts'
import { type Baseline, type BaselineValue, type IdentityLine, toleranceOf } from './baseline.ts'
import { BASELINE_FIGURES, type BaselineFigure } from './baseline-figures.ts'
import { boundsAround } from './tolerance.ts'

export interface BaselineComparison {
  readonly figures: readonly Figure[]
  /** The two can be compared, and every figure keeps to its tolerance. */
  readonly holds: boolean
  /** Why the two cannot be compared, where they cannot. */
  readonly incomparable?: string
  /** What the reader should know besides. */
  readonly notes: readonly string[]
  /** What an update writes: this run's values, the tolerances and the choice of figures as they were. */
  readonly updated: Baseline
}

const MUST_AGREE: readonly IdentityLine[] = ['workload', 'stages', 'replay', 'target', 'part']

export function compareBaseline(measured: Measured, current: Baseline, stored: Baseline): BaselineComparison {
  const held = BASELINE_FIGURES.filter(({ name }) => stored.figures.has(name))
  const figures = held.flatMap((figure) => {
    const base = stored.figures.get(figure.name)
    return base === undefined ? [] : [compareFigure(figure, current.figures.get(figure.name)?.value, base, measured)]
  })
  const incomparable = differenceOf(current, stored)
  return {
    figures,
    holds: incomparable === undefined && figures.every(keepsTo),
    ...(incomparable === undefined ? {} : { incomparable }),
    notes: notesOn(current, stored),
    updated: {
      identity: current.identity,
      figures: new Map(
        held.flatMap(({ name }): [string, BaselineValue][] => {
          const value = current.figures.get(name)?.value
          const base = stored.figures.get(name)
          return value === undefined || base === undefined ? [] : [[name, { value, tolerance: base.tolerance }]]
        }),
      ),
    },
  }
}

function keepsTo({ observed, limit, direction, unmeasured }: Figure): boolean {
  if (observed === undefined || unmeasured !== undefined) return false
  return direction === 'ceiling' ? observed <= limit : observed >= limit
}

function compareFigure(
  { name, label, unit, sampled, direction, quantile }: BaselineFigure,
  observed: number | undefined,
  base: BaselineValue,
  { sessionCounts, requestCounts }: Measured,
): Figure {
  const { low, high } = boundsAround(base.value, toleranceOf(base))
  // The bound that is broken, else the one that guards against getting worse.
  const isLow = low !== undefined && (observed ?? 0) < low
  const asFloor = isLow || high === undefined || (direction === 'floor' && low !== undefined && !((observed ?? 0) > high))
  return {
    label,
    basis: `baseline ${formatFigure(base.value, unit)} ${base.tolerance}`,
    ...(quantile === undefined ? {} : { quantile }),
    observed,
    limit: (asFloor ? low : high) ?? base.value,
    unit,
    direction: asFloor ? 'floor' : 'ceiling',
    samples: sampled === 'sessions' ? sessionCounts.total : requestCounts.total,
    sampled,
    ...(observed === undefined ? { unmeasured: `the baseline has ${name}, which nothing in this run carried` } : {}),
    ...(Number.isFinite(base.value)
      ? {}
      : { unmeasured: `the baseline was taken from a run whose failures set its ${label}: update it from a sound one` }),
  }
}

function differenceOf({ identity }: Baseline, stored: Baseline): string | undefined {
  for (const line of MUST_AGREE) {
    const now = identity.get(line)
    const then = stored.identity.get(line)
    if (essenceOf(line, now) === essenceOf(line, then)) continue
    return `the baseline is of another ${line}: ${then ?? 'none'}. This run's is ${now ?? 'none'}. If that is meant, take a new baseline with -u`
  }
  return undefined
}

/** Of the workload its content counts, not where it was found. */
function essenceOf(line: IdentityLine, text: string | undefined): string | undefined {
  return line === 'workload' ? text?.split(' ', 1)[0] : text
}

function notesOn(current: Baseline, stored: Baseline): string[] {
  const [now, then] = [current.identity.get('machine'), stored.identity.get('machine')]
  const better = BASELINE_FIGURES.flatMap(({ name, label, unit, direction }) => {
    const base = stored.figures.get(name)
    const value = current.figures.get(name)?.value
    if (base === undefined || value === undefined || !Number.isFinite(base.value)) return []
    const { above, below } = toleranceOf(base)
    // Mirrored: as far on the good side as would be too far on the bad one.
    const { low, high } = boundsAround(
      base.value,
      direction === 'ceiling' ? { ...(above && { below: above }) } : { ...(below && { above: below }) },
    )
    const isBetter = (low !== undefined && value < low) || (high !== undefined && value > high)
    return isBetter
      ? [
          `${label} is ${formatFigure(value, unit)}, better than its baseline of ${formatFigure(base.value, unit)} by more than its tolerance`,
        ]
      : []
  })
  return [
    ...(now === then
      ? []
      : [`The baseline was taken on another machine: ${then ?? 'not told'}. This one is ${now ?? 'not told'}.`]),
    ...(better.length === 0 ? [] : [`${better.join('; ')}. Delete its entry in the snapshot file to take a new baseline.`]),
  ]
}
