import { formatDuration } from '../base/index.ts'
import type { Over, SloVerdict } from '../metrics/index.ts'
import { type Column, type HeadedColumn, layOutColumns, layOutTable } from './columns.ts'
import { formatCount, formatPerSecond, NO_FIGURE } from './figures.ts'
import type { MeasuredSummary, QuantileSummary, RunSummary, StageSummary } from './run-summary.ts'
import { type AskedVerdict, holds, marginText, markOf, observedText, sloText } from './slo-text.ts'
import { DEFAULT_WIDTH, plain, type RenderOptions, type Styler } from './styler.ts'
import { printable, truncate, visibleWidth, wrap } from './terminal-text.ts'

/** One scenario for the table at the end: its run, and the verdicts on it. */
export interface ScenarioReport {
  readonly summary: RunSummary
  readonly verdicts: readonly AskedVerdict[]
}

/**
 * The table at the end: for each scenario its sessions, latencies and throughput, by stage where there are several, then
 * each SLO with its margin. Figures count failures as infinitely slow; where there are any, a second row has the successful
 * alone.
 */
export function renderRunTable(scenarios: readonly ScenarioReport[], options: RenderOptions = {}): string {
  return scenarios.map((scenario) => renderScenario(scenario, options)).join('\n\n')
}

function renderScenario({ summary, verdicts }: ScenarioReport, { width = DEFAULT_WIDTH, styler = plain }: RenderOptions): string {
  const lines = [heading(summary, width, styler), '', ...figureLines(summary, width - 2, styler).map((line) => `  ${line}`)]
  if (!summary.gradable.ok) {
    lines.push(
      '',
      ...wrap(`Not gradable: ${printable(summary.gradable.reason)}`, width - 2).map((line) => `  ${styler.bad(line)}`),
    )
  }
  if (verdicts.length > 0) lines.push('', ...verdictLines(verdicts, width - 2, styler).map((line) => `  ${line}`))
  return lines.join('\n')
}

function heading({ name, target }: RunSummary, width: number, styler: Styler): string {
  const title = truncate(printable(name), width)
  const where = printable(target.model === '' ? target.kind : `${target.kind} · ${target.model}`)
  const room = width - visibleWidth(title) - 2
  return visibleWidth(where) <= room ? `${styler.bold(title)}  ${styler.dim(where)}` : styler.bold(title)
}

/** A column of the table: what it shows of a row, and how soon it gives way on a narrow terminal (0: never). */
interface FigureColumn extends HeadedColumn {
  readonly yields: 0 | 1 | 2 | 3 | 4
  cell(row: FigureRow): string
}

interface FigureRow {
  readonly label: string
  readonly measured: MeasuredSummary
  readonly over: Over
}

const COLUMNS: readonly FigureColumn[] = [
  { group: '', head: '', align: 'left', gap: 0, yields: 0, cell: ({ label }) => label },
  sessions('ok', 'succeeded', 2, 0),
  sessions('failed', 'failed', 1, 0),
  sessions('cut', 'cutOff', 1, 2),
  latency('workflow latency', 'workflowLatency', 'p50', 3, 1),
  latency('workflow latency', 'workflowLatency', 'p95', 2, 0),
  latency('workflow latency', 'workflowLatency', 'max', 2, 3),
  latency('TTFT', 'timeToFirstToken', 'p50', 3, 4),
  latency('TTFT', 'timeToFirstToken', 'p99', 2, 1),
  latency('TPOT', 'timePerOutputToken', 'p50', 3, 2),
  { group: 'output', head: 'tok/s', align: 'right', gap: 2, yields: 1, cell: tokensPerSecond },
]

function sessions(head: string, state: 'succeeded' | 'failed' | 'cutOff', gap: number, yields: 0 | 2): FigureColumn {
  // The states are over all sessions by nature: a row of the successful has nothing to say.
  const cell = ({ measured, over }: FigureRow) => (over === 'all' ? formatCount(measured.sessionCounts[state]) : '')
  return { group: 'sessions', head, align: 'right', gap, yields, cell }
}

type LatencyMetric = 'workflowLatency' | 'timeToFirstToken' | 'timePerOutputToken'

function latency(
  group: string,
  metric: LatencyMetric,
  head: keyof QuantileSummary,
  gap: number,
  yields: FigureColumn['yields'],
): FigureColumn {
  const cell = ({ measured, over }: FigureRow) => {
    const quantiles = measured[metric][over]
    return quantiles === null ? NO_FIGURE : formatDuration(quantiles[head] ?? Number.POSITIVE_INFINITY)
  }
  return { group, head, align: 'right', gap, yields, cell }
}

/** Throughput is of successful work alone, with nothing to add in a row of its own. */
function tokensPerSecond({ measured, over }: FigureRow): string {
  if (over === 'successful') return ''
  const { outputTokensPerSecond, tokensEstimated } = measured.throughput
  if (outputTokensPerSecond === undefined) return NO_FIGURE
  return `${tokensEstimated ? '~' : ''}${formatPerSecond(outputTokensPerSecond)}`
}

function figureLines(summary: RunSummary, width: number, styler: Styler): string[] {
  const rows = rowsOf(summary)
  const lines = fittingTable(rows, width)
  const note = rows.some(({ measured }) => measured.throughput.tokensEstimated) ? ['~ estimated: the server sent no usage'] : []
  return [...lines.map((line, index) => (index < 2 || rows[index - 2]?.over === 'successful' ? styler.dim(line) : line)), ...note]
}

function fittingTable(rows: readonly FigureRow[], width: number): string[] {
  for (let most = 4; ; most--) {
    const columns = COLUMNS.filter(({ yields }) => yields <= most)
    const lines = layOutTable(
      columns,
      rows.map((row) => columns.map((column) => column.cell(row))),
    )
    if (most === 0 || lines.every((line) => visibleWidth(line) <= width)) return lines
  }
}

/** Several stages have a row each, then one for the run without its warm-up; a single one is the run. */
function rowsOf(summary: RunSummary): FigureRow[] {
  const { stages } = summary
  const rows = stages.length < 2 ? [] : stages.flatMap((stage) => rowPair(stageLabel(stage), stage))
  return [...rows, ...rowPair('run', summary)]
}

function rowPair(label: string, measured: MeasuredSummary): FigureRow[] {
  const everything: FigureRow = { label, measured, over: 'all' }
  const { failed, cutOff } = measured.sessionCounts
  return failed + cutOff === 0 ? [everything] : [everything, { label: '  ok only', measured, over: 'successful' }]
}

function stageLabel({ index, warmup }: StageSummary): string {
  return warmup ? `warm-up ${index + 1}` : `stage ${index + 1}`
}

function verdictLines(verdicts: readonly AskedVerdict[], width: number, styler: Styler): string[] {
  const columns: Column[] = [
    { align: 'left', gap: 0 },
    { align: 'left', gap: 1 },
    { align: 'right', gap: 2 },
    { align: 'left', gap: 2 },
  ]
  const rows = verdicts.map((asked) => {
    const { verdict } = asked
    return [markOf(asked), `${placePrefix(verdict)}${sloText(asked)}`, observedText(verdict), marginText(verdict)]
  })
  return layOutColumns(columns, rows).flatMap((line, index) => {
    const asked = verdicts[index]
    const ownNote = asked?.verdict.note
    // What is said of several verdicts stands once, below the last of them.
    const note = ownNote === verdicts[index + 1]?.verdict.note ? undefined : ownNote
    const styled =
      asked?.verdict.inconclusive === true
        ? styler.warn(line)
        : asked !== undefined && holds(asked)
          ? styler.good(line)
          : styler.bad(line)
    return note === undefined ? [styled] : [styled, ...wrap(printable(note), width - 2).map((text) => styler.dim(`  ${text}`))]
  })
}

function placePrefix({ stage, where }: SloVerdict): string {
  const parts = [...(stage === undefined ? [] : [`stage ${stage + 1}`]), ...(where === undefined ? [] : [printable(where)])]
  return parts.length === 0 ? '' : `${parts.join(' ')}: `
}
