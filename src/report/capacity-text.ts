import { formatDuration } from '../base/index.ts'
import type { Capacity, CapacityPoint } from '../stats/index.ts'
import { type Column, layOutColumns } from './columns.ts'
import { formatCount, formatPerSecond, formatShare, NO_FIGURE } from './figures.ts'
import { DEFAULT_WIDTH, plain, type RenderOptions } from './styler.ts'
import { printable, wrap } from './terminal-text.ts'

/** A search that did not bear the load it was held to, or that cannot tell. */
export interface CapacityFailure {
  readonly capacity: Capacity
  readonly concurrentSessions: number
  readonly inverted: boolean
  /** Why there is no verdict, where there is none. */
  readonly ungradable?: string
}

const LABEL_WIDTH = 'Scenario: '.length

/** The body of a failing matcher's message, to stand under its hint: what was asked, what was found, the curve around it. */
export function renderCapacityFailure(
  failure: CapacityFailure,
  { width = DEFAULT_WIDTH, styler = plain }: RenderOptions = {},
): string {
  const { capacity, concurrentSessions, inverted, ungradable } = failure
  const expected = `${inverted ? 'not ' : ''}${plural(concurrentSessions)} at once within the SLO`
  const received = ungradable === undefined ? foundText(capacity) : `not gradable: ${printable(ungradable)}`
  const head = [
    ...labelled('Scenario:', printable(capacity.name), width),
    ...labelled('Expected:', expected, width).map((line) => styler.good(line)),
    ...labelled('Received:', received, width).map((line) => styler.bad(line)),
  ]
  return [head.join('\n'), renderCapacityCurve(capacity, { width, styler })].join('\n\n')
}

function foundText({ concurrentSessions, lowestFailing }: Capacity): string {
  const tooMany = lowestFailing === null ? '' : `, ${formatCount(lowestFailing)} are too many`
  return concurrentSessions === 0 ? `none${tooMany}` : `${plural(concurrentSessions)} at once${tooMany}`
}

function labelled(label: string, text: string, width: number): string[] {
  return wrap(text, width - LABEL_WIDTH).map((line, index) => (index === 0 ? label : '').padEnd(LABEL_WIDTH) + line)
}

function plural(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'session' : 'sessions'}`
}

const COLUMNS: readonly Column[] = [
  { align: 'left', gap: 0 },
  ...Array.from({ length: 6 }, (_, index): Column => ({ align: 'right', gap: index === 0 ? 1 : 2 })),
]
const HEADS = ['', 'sessions', 'success', 'workflow p95', 'sessions/s', 'requests/s', 'output tok/s']
const MOST_ROWS = 12

/** The SLO, and what each number of sessions came to; the levels around the knee where there are too many. */
export function renderCapacityCurve(capacity: Capacity, { width = DEFAULT_WIDTH, styler = plain }: RenderOptions = {}): string {
  const points = aroundTheKnee(capacity)
  const lines = layOutColumns(COLUMNS, [HEADS, ...points.map(rowOf)])
  const notes = [
    ...(points.some(({ certain }) => !certain) ? ['~ may be chance'] : []),
    ...(points.some(({ cutShort, workflowLatencyP95Ms }) => cutShort && workflowLatencyP95Ms !== null)
      ? ['≥ ended when it was clear that the SLO would not be met']
      : []),
    ...(points.length < capacity.curve.length ? [`${capacity.curve.length - points.length} further levels are not shown`] : []),
  ]
  return [
    ...wrap(`SLO: ${capacity.slo.map(printable).join(', ')}`, width),
    ...lines.map((line, index) => {
      const point = points[index - 1]
      return point === undefined ? styler.dim(line) : point.met ? styler.good(line) : styler.bad(line)
    }),
    ...(notes.length === 0 ? [] : wrap(notes.join('; '), width).map((line) => styler.dim(line))),
  ].join('\n')
}

function aroundTheKnee({ curve, concurrentSessions }: Capacity): readonly CapacityPoint[] {
  const knee = curve.findLastIndex((point) => point.concurrentSessions <= concurrentSessions)
  const from = Math.max(0, Math.min(knee - MOST_ROWS / 2, curve.length - MOST_ROWS))
  return curve.slice(from, from + MOST_ROWS)
}

function rowOf(point: CapacityPoint): string[] {
  const p95 = point.sessions === 0 ? NO_FIGURE : formatDuration(point.workflowLatencyP95Ms ?? Number.POSITIVE_INFINITY)
  return [
    `${point.met ? '✓' : '✗'}${point.certain ? '' : '~'}`,
    formatCount(point.concurrentSessions),
    point.sessions === 0 ? NO_FIGURE : formatShare(point.sessionSuccessRate),
    `${point.cutShort && point.sessions > 0 && point.workflowLatencyP95Ms !== null ? '≥ ' : ''}${p95}`,
    formatPerSecond(point.sessionsPerSecond),
    formatPerSecond(point.requestsPerSecond),
    point.outputTokensPerSecond === null ? NO_FIGURE : formatPerSecond(point.outputTokensPerSecond),
  ]
}
