import { padEnd, padStart, visibleWidth } from './terminal-text.ts'

export interface Column {
  readonly align: 'left' | 'right'
  /** Spaces before it; before the first there are none. */
  readonly gap: number
}

/** Rows of cells → lines, each column as wide as its widest cell. */
export function layOutColumns(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const widths = columnWidths(columns, rows)
  return rows.map((row) => layOutRow(columns, widths, row))
}

export interface HeadedColumn extends Column {
  readonly head: string
  /** Neighbours of equal group share one heading above their own; `''` has none. */
  readonly group: string
}

/** As {@link layOutColumns}, with a line of group headings and a line of column headings on top. */
export function layOutTable(columns: readonly HeadedColumn[], rows: readonly (readonly string[])[]): string[] {
  const heads = columns.map(({ head }) => head)
  const widths = columnWidths(columns, [heads, ...rows])
  const groups = groupsOf(columns)
  for (const { heading, from, to } of groups) {
    // A heading wider than what it stands over pushes its first column out.
    widths[from] = (widths[from] ?? 0) + Math.max(0, visibleWidth(heading) - spanWidth(columns, widths, from, to))
  }
  const groupLine = groups
    .map(
      ({ heading, from, to }) => ' '.repeat(gapBefore(columns, from)) + padStart(heading, spanWidth(columns, widths, from, to)),
    )
    .join('')
  return [groupLine.trimEnd(), ...[heads, ...rows].map((row) => layOutRow(columns, widths, row))]
}

function layOutRow(columns: readonly Column[], widths: readonly number[], row: readonly string[]): string {
  return columns
    .map(({ align }, index) => {
      const pad = align === 'left' ? padEnd : padStart
      return ' '.repeat(gapBefore(columns, index)) + pad(row[index] ?? '', widths[index] ?? 0)
    })
    .join('')
    .trimEnd()
}

function columnWidths(columns: readonly Column[], rows: readonly (readonly string[])[]): number[] {
  return columns.map((_, index) => Math.max(0, ...rows.map((row) => visibleWidth(row[index] ?? ''))))
}

interface Group {
  readonly heading: string
  readonly from: number
  /** Inclusive. */
  to: number
}

function groupsOf(columns: readonly HeadedColumn[]): Group[] {
  const groups: Group[] = []
  for (const [index, { group }] of columns.entries()) {
    const last = groups.at(-1)
    if (last !== undefined && group !== '' && last.heading === group) last.to = index
    else groups.push({ heading: group, from: index, to: index })
  }
  return groups
}

function spanWidth(columns: readonly Column[], widths: readonly number[], from: number, to: number): number {
  let width = widths[from] ?? 0
  for (let index = from + 1; index <= to; index++) width += gapBefore(columns, index) + (widths[index] ?? 0)
  return width
}

function gapBefore(columns: readonly Column[], index: number): number {
  return index === 0 ? 0 : (columns[index]?.gap ?? 0)
}
