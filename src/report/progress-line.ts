import { formatCount } from './figures.ts'
import { DEFAULT_WIDTH, plain, type RenderOptions } from './styler.ts'
import { truncate, visibleWidth } from './terminal-text.ts'

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
 * One line for a person who waits. Where the terminal is too narrow the bar goes first, then the end of the line.
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
  const stage = stageText(progress)
  const bar = total === null ? '' : `${renderBar(done / Math.max(1, total), BAR_WIDTH)}  `
  const before = `${total === null ? formatCount(done) : `${formatCount(done)}/${formatCount(total)}`} sessions · ${formatCount(inFlight)} in flight · `
  const failures = failed === 0 ? '' : `${formatCount(failed)} failed`
  const after = `${failed === 0 ? '' : ' · '}${requestsText(progress)} · ${formatClock(progress.elapsedMs)}`

  const line = `${before}${failures}${after}`
  const spare = width - visibleWidth(stage) - 2 - visibleWidth(line)
  if (spare < 0) return truncate(`${stage}  ${line}`, width)
  const shownBar = bar !== '' && spare >= visibleWidth(bar) ? styler.dim(bar) : ''
  return `${styler.bold(stage)}  ${shownBar}${before}${failures === '' ? '' : styler.bad(failures)}${after}`
}

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
