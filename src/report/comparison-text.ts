import { formatDuration } from '../base/index.ts'
import type { SloUnit } from '../metrics/index.ts'
import type { Change, ComparedLatency, LatencyChange, SlowedSession } from '../stats/index.ts'
import { type Column, layOutColumns } from './columns.ts'
import type { Section } from './failure-message.ts'
import { formatCount, formatFigure, formatShare, NO_FIGURE } from './figures.ts'
import { truncate } from './terminal-text.ts'

const METRICS: Readonly<Record<ComparedLatency, string>> = {
  workflowLatency: 'workflow latency',
  requestLatency: 'request latency',
  timeToFirstToken: 'TTFT',
  timePerOutputToken: 'TPOT',
}

const MOST_SLOWED = 3
const SESSION_WIDTH = 34

interface Labelled {
  readonly kind?: Change['kind']
  readonly metric?: ComparedLatency
  readonly figure?: string
}

/** `'workflow latency typical'`, `'session success rate'` */
export function comparisonLabel({ metric, figure }: Labelled): string {
  return metric === undefined ? 'session success rate' : `${METRICS[metric]} ${figure}`
}

/** Both sides of each figure, and the sessions that were slowed most. */
export function comparisonSections(changes: readonly Change[], slowed: readonly SlowedSession[]): Section[] {
  return [
    { title: 'Base and head, pair by pair', lines: layOutColumns(CHANGE_COLUMNS, [CHANGE_HEADS, ...changes.map(changeRow)]) },
    ...(slowed.length === 0
      ? []
      : [{ title: 'Sessions slowed most', lines: layOutColumns(SLOWED_COLUMNS, slowed.slice(0, MOST_SLOWED).map(slowedRow)) }]),
  ]
}

const CHANGE_COLUMNS: readonly Column[] = [
  { align: 'left', gap: 0 },
  { align: 'right', gap: 2 },
  { align: 'right', gap: 2 },
  { align: 'right', gap: 2 },
  { align: 'right', gap: 2 },
]
const CHANGE_HEADS = ['figure', 'base', 'head', '95% interval', 'can detect']

function changeRow(change: Change): string[] {
  const ofRate = change.kind === 'success-rate'
  const figure = (value: number) => (Number.isNaN(value) ? NO_FIGURE : ofRate ? formatShare(value) : formatDuration(value))
  const [base, head] = ofRate ? [change.base, change.head] : [change.baseMs, change.headMs]
  const unit: SloUnit = ofRate ? 'points' : 'change'
  const detectable = ofRate ? -change.detectable : change.detectable
  return [
    comparisonLabel(change),
    figure(base),
    figure(head),
    `${formatEnd(change.interval.low, unit).replace(/ points?$/, '')} … ${formatEnd(change.interval.high, unit)}`,
    formatEnd(detectable, unit),
  ]
}

/** Tenths of a percent are enough for where an interval ends. */
function formatEnd(value: number, unit: SloUnit): string {
  return Number.isNaN(value) ? NO_FIGURE : formatFigure(Number.isFinite(value) ? Math.round(value * 1_000) / 1_000 : value, unit)
}

const SLOWED_COLUMNS: readonly Column[] = [
  { align: 'left', gap: 0 },
  { align: 'right', gap: 2 },
  { align: 'right', gap: 2 },
]

function slowedRow({ id, baseMs, headMs }: SlowedSession): string[] {
  return [
    truncate(id, SESSION_WIDTH),
    `${formatDuration(baseMs)} → ${formatDuration(headMs)}`,
    formatFigure(Math.round((headMs / baseMs - 1) * 100) / 100, 'change'),
  ]
}

/** `'3.1ms in all, below 20ms'` */
export function belowFloorText({ baseMs, headMs, tolerance }: LatencyChange): string {
  return `${formatDuration(headMs - baseMs)} in all, below ${formatDuration(tolerance.absoluteMs)}`
}

/** What the reader must know of one figure: why nothing can be said of it, and what would decide it. */
export function changeNotes(change: Change): string[] {
  const notes: string[] = []
  if (change.outcome === 'inconclusive') notes.push(undecided(change))
  if (change.kind === 'success-rate' && change.lost + change.gained > 0) {
    const p = change.probability < 0.001 ? '< 0.001' : change.probability.toFixed(3)
    notes.push(
      `session success rate: ${formatCount(change.lost)} sessions succeeded on the base alone, ${formatCount(change.gained)} on the head alone (exact test p ${p.startsWith('<') ? p : `= ${p}`}).`,
    )
  }
  return notes
}

function undecided(change: Change): string {
  const { sessions, interval, sessionsToDecide = Number.POSITIVE_INFINITY } = change
  if (interval.high === Number.POSITIVE_INFINITY) {
    return `${comparisonLabel(change)}: so many sessions failed on one side alone that its interval has no end.`
  }
  const more = Number.isFinite(sessionsToDecide)
    ? `a run of about ${formatCount(sessionsToDecide)} would, if the estimate holds`
    : 'no run would: the change is about as large as what is tolerated'
  return `${comparisonLabel(change)}: ${formatCount(sessions)} sessions do not decide it; ${more}.`
}
