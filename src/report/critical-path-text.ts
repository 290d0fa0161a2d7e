import type { Measured, SloVerdict } from '../metrics/index.ts'
import { formatCount } from './figures.ts'
import type { Styler } from './styler.ts'
import { printable, truncate, wrap } from './terminal-text.ts'

const MOST_CALLS = 3
/** A call that takes less of the latency explains nothing. */
const LEAST_SHARE = 0.05
const NAME_WIDTH = 40

/** What the latency at a figure consists of, and which calls took most of it. Nothing for a single session: it is shown whole. */
export function renderCriticalPath(measured: Measured, { quantile, label }: SloVerdict, width: number, styler: Styler): string[] {
  const { sessions, split, calls } = measured.criticalPath(quantile)
  if (sessions < 2) return []
  const figure = nameOf(label)
  const parts = [
    `queue + prefill ${percent(split.prefill)}`,
    `decode ${percent(split.decode)}`,
    `wait ${percent(split.wait)}`,
    `client ${percent(split.lag)}`,
  ]
  const lines = calls
    .slice(0, MOST_CALLS)
    .filter(({ share }) => share >= LEAST_SHARE)
    .map(
      ({ name, position, sessions: on, share }) =>
        `'${truncate(printable(name), NAME_WIDTH)}', call ${position}, is on the path of ${formatCount(on)} of ${formatCount(sessions)} sessions and takes ${percent(share)} of ${figure}`,
    )
  return [
    styler.bold(`Where ${figure} goes`),
    ...[parts.join(', '), ...lines].flatMap((line) =>
      wrap(line, width - 4).map((text, index) => (index === 0 ? `  ${text}` : `    ${text}`)),
    ),
  ]
}

/** `'workflow latency p95 of the successful'` → `'p95'` */
function nameOf(label: string): string {
  const name = label.replace(/^workflow latency /, '').replace(/ of the successful$/, '')
  return name === 'max' ? 'the maximum' : name === 'mean' ? 'the mean' : name
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? '<1%' : `${Math.round(share * 100)}%`
}
