import { formatDuration } from '../base/index.ts'
import type { SloVerdict } from '../metrics/index.ts'
import { formatBeside, formatFigure, formatPoints, NO_FIGURE } from './figures.ts'

/** A verdict as it was asked for: with `inverted` (`.not`) the assertion holds when the SLO does not. */
export interface AskedVerdict {
  readonly verdict: SloVerdict
  /** @default false */
  readonly inverted?: boolean
}

/** Whether the assertion came out as asked. */
export function holds({ verdict, inverted }: AskedVerdict): boolean {
  return verdict.pass !== (inverted === true)
}

/** How it came out, in one character. */
export function markOf(asked: AskedVerdict): '✓' | '✗' | '?' {
  return asked.verdict.inconclusive === true ? '?' : holds(asked) ? '✓' : '✗'
}

/** `'workflow latency p95 ≤ 45s'` */
export function sloText({ verdict, inverted }: AskedVerdict): string {
  const { label, direction, limit, unit, basis } = verdict
  const text = `${inverted === true ? 'not ' : ''}${label} ${direction === 'ceiling' ? '≤' : '≥'} ${formatFigure(limit, unit)}`
  return basis === undefined ? text : `${text} (${basis})`
}

export function observedText({ observed, limit, unit, samples }: SloVerdict): string {
  return samples === 0 ? NO_FIGURE : formatBeside(observed, limit, unit)
}

/** How far the figure is from its limit, on which side: `'16% over'`, `'12% to spare'`, `'2 points short'`. */
export function marginText({ observed, limit, unit, direction, samples, inconclusive, margin }: SloVerdict): string {
  if (samples === 0) return 'nothing measured'
  if (inconclusive === true) return 'inconclusive'
  if (margin !== undefined) return margin
  const value = observed ?? Number.POSITIVE_INFINITY
  const spare = direction === 'ceiling' ? limit - value : value - limit
  if (spare === 0) return 'just met'
  const side = spare > 0 ? 'to spare' : direction === 'ceiling' ? 'over' : 'short'
  if (!Number.isFinite(spare)) return spare < 0 && (unit === 'ms' || unit === 'change') ? 'infinitely slow' : side
  const distance = Math.abs(spare)
  if (unit === 'rate' || unit === 'change' || unit === 'points') return `${formatPoints(distance)} ${side}`
  if (limit === 0) return `${unit === 'ms' ? formatDuration(distance) : formatFigure(distance, unit)} ${side}`
  const percent = (distance / limit) * 100
  return `${percent < 1 ? '<1' : Math.round(percent)}% ${side}`
}
