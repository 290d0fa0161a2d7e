import { formatCount } from './figures.ts'
import { DEFAULT_WIDTH, plain, type RenderOptions } from './styler.ts'
import { printable, truncate, visibleWidth } from './terminal-text.ts'

/** Where a run stands. */
export interface ProgressView {
  /** Counted from 0. */
  readonly stage: number
  readonly stages: number
  readonly warmup: boolean
  readonly elapsedMs: number
  readonly sessions: {
    /** `null` when the stage is bounded by time alone. */
    readonly total: number | null
    readonly inFlight: number
    readonly succeeded: number
    readonly failed: number
  }
  readonly requests: { readonly inFlight: number; readonly succeeded: number; readonly failed: number }
}

const BAR_WIDTH = 10

/**
 * One line for a person who waits. Where the terminal is too narrow the requests go first, then the bar, then the end.
 *
 * @example
 * 'stage 1/2  ██████░░░░  63/100 sessions · 20 in flight · 2 failed · 412 requests · 0:37'
 */
export function renderProgressLine(
  progress: ProgressView,
  { width = DEFAULT_WIDTH, styler = plain }: RenderOptions = {},
): string {
  const { total, inFlight, succeeded, failed } = progress.sessions
  const done = succeeded + failed
  const stage = { text: stageText(progress), style: styler.bold }
  const bar = total === null ? [] : [{ text: renderBar(done / Math.max(1, total), BAR_WIDTH), style: styler.dim }]
  const sessions = [
    { text: `${formatCount(done)}${total === null ? '' : `/${formatCount(total)}`} sessions` },
    { text: `${formatCount(inFlight)} in flight` },
    ...(failed === 0 ? [] : [{ text: `${formatCount(failed)} failed`, style: styler.bad }]),
  ]
  const requests = { text: requestsText(progress) }
  const clock = { text: formatClock(progress.elapsedMs) }

  const shortest: Line = { head: [stage], facts: [...sessions, clock] }
  const lines: readonly Line[] = [
    { head: [stage, ...bar], facts: [...sessions, requests, clock] },
    { head: [stage, ...bar], facts: [...sessions, clock] },
    shortest,
  ]
  const fitting = lines.find((line) => visibleWidth(join(line, bare)) <= width)
  return fitting === undefined ? truncate(join(shortest, bare), width) : join(fitting, styled)
}

/** How far a file of a data set has been fetched. */
export interface FetchView {
  readonly dataset: string
  readonly file: string
  readonly doneBytes: number
  readonly totalBytes: number
}

/**
 * One line for a person who waits for data.
 *
 * @example
 * 'fetching acme/orders  ███░░░░░░░  24.0 of 80.0 MB · data/train-00000.parquet'
 */
export function renderFetchLine(
  { dataset, file, doneBytes, totalBytes }: FetchView,
  { width = DEFAULT_WIDTH, styler = plain }: RenderOptions = {},
): string {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
  const line = (style: (text: string) => string) => {
    const bar = renderBar(doneBytes / Math.max(1, totalBytes), BAR_WIDTH)
    return `fetching ${printable(dataset)}  ${style(bar)}  ${megabytes(doneBytes)} of ${megabytes(totalBytes)} MB · ${printable(file)}`
  }
  const bare = line((text) => text)
  return visibleWidth(bare) <= width ? line(styler.dim) : truncate(bare, width)
}

interface Piece {
  readonly text: string
  readonly style?: (text: string) => string
}

interface Line {
  readonly head: readonly Piece[]
  readonly facts: readonly Piece[]
}

function join({ head, facts }: Line, show: (piece: Piece) => string): string {
  return [...head.map(show), facts.map(show).join(' · ')].join('  ')
}

const bare = ({ text }: Piece) => text
const styled = ({ text, style }: Piece) => (style === undefined ? text : style(text))

/** `renderBar(0.63, 10)` → `'██████░░░░'`. Full only when all is done. */
export function renderBar(share: number, width: number): string {
  const filled = Math.floor(Math.min(1, Math.max(0, share)) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}

function stageText({ stage, stages, warmup }: ProgressView): string {
  return `${warmup ? 'warm-up' : 'stage'} ${stage + 1}/${stages}`
}

function requestsText({ requests }: ProgressView): string {
  const done = requests.succeeded + requests.failed
  return `${formatCount(done)} ${done === 1 ? 'request' : 'requests'}`
}

/** `37_000` → `'0:37'`, `3_725_000` → `'1:02:05'` */
function formatClock(elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1_000)
  const pad = (value: number) => value.toString().padStart(2, '0')
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`
}
