import type { ErrorGroup } from '../metrics/index.ts'
import { formatCount } from './figures.ts'
import { plain, type Styler } from './styler.ts'
import { printable, truncate, wrap } from './terminal-text.ts'

const MOST_GROUPS = 5
const MOST_SESSIONS = 3
const ID_WIDTH = 24
const MOST_MESSAGE_LINES = 2

/** Failures by kind: how many, in which sessions, and one of the messages. */
export function renderErrorGroups(groups: readonly ErrorGroup[], width: number, styler: Styler = plain): string[] {
  const lines = groups.slice(0, MOST_GROUPS).flatMap(({ label, count, message, sessions }) => {
    const [first = '', ...rest] = wrap(`${printable(label)} × ${formatCount(count)} in ${sessionList(sessions)}`, width - 2)
    return [
      styler.bad(first),
      ...rest.map((text) => `  ${text}`),
      ...messageLines(message, width - 2).map((text) => styler.dim(`  ${text}`)),
    ]
  })
  const more = groups.length - MOST_GROUPS
  return more > 0 ? [...lines, `+ ${formatCount(more)} more kinds`] : lines
}

function sessionList(ids: readonly string[]): string {
  const shown = ids.slice(0, MOST_SESSIONS).map((id) => truncate(printable(id), ID_WIDTH))
  const more = ids.length - shown.length
  return more > 0 ? `${shown.join(', ')} + ${formatCount(more)} more` : shown.join(', ')
}

function messageLines(message: string, width: number): string[] {
  const lines = wrap(printable(message), width).map((line) => truncate(line, width))
  const cut = lines.slice(0, MOST_MESSAGE_LINES)
  const last = cut.at(-1)
  return lines.length <= MOST_MESSAGE_LINES || last === undefined ? cut : [...cut.slice(0, -1), truncate(`${last} …`, width)]
}
