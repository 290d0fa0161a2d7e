import { formatDuration } from '../base/index.ts'
import type { SloUnit } from '../metrics/index.ts'

/** Stands where nothing was measured. */
export const NO_FIGURE = '–'

/** A count with thousands apart: `12,345`. */
export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A share from 0 to 1 as a percentage, never rounded to a whole that it is not: `0.9996` → `'99.96%'`, `1` → `'100%'`. */
export function formatShare(share: number): string {
  for (const digits of [1, 2, 3, 4]) {
    const text = Number((share * 100).toFixed(digits))
    if (share === 0 || share === 1 || (text !== 0 && text !== 100)) return `${text}%`
  }
  return share < 0.5 ? '<0.0001%' : '>99.9999%'
}

/** Something per second: three significant digits, or all digits of a large number. */
export function formatPerSecond(rate: number): string {
  if (!Number.isFinite(rate)) return rate === Number.POSITIVE_INFINITY ? '∞' : NO_FIGURE
  return rate >= 100 ? formatCount(rate) : Number(rate.toPrecision(3)).toString()
}

/** @param value `null` is infinite, as in the JSON form of a figure */
export function formatFigure(value: number | null, unit: SloUnit): string {
  const number = value ?? Number.POSITIVE_INFINITY
  switch (unit) {
    case 'ms':
      return formatDuration(number)
    case 'rate':
      return formatShare(number)
    case '/s':
      return `${formatPerSecond(number)}/s`
    case 'tokens':
      return Number.isFinite(number) ? formatCount(number) : '∞'
    case 'change':
      return Number.isFinite(number) ? `${signOf(number)}${formatShare(Math.abs(number))}` : '∞'
    case 'points':
      return `${signOf(number)}${formatPoints(Math.abs(number))}`
  }
}

/** A difference of shares, in percentage points: `0.01` → `'1 point'`. */
export function formatPoints(difference: number): string {
  const points = formatShare(difference).slice(0, -1)
  return `${points} ${points === '1' ? 'point' : 'points'}`
}

function signOf(value: number): string {
  return value > 0 ? '+' : value < 0 ? '−' : ''
}

const SUFFIXES: Readonly<Record<SloUnit, string>> = {
  ms: 'ms',
  rate: '%',
  '/s': '/s',
  tokens: '',
  change: '%',
  points: ' points',
}

/**
 * A figure beside the limit it is held to: with as many digits as it takes to tell the two apart, since "45s, expected at
 * most 45s" helps nobody.
 */
export function formatBeside(value: number | null, limit: number, unit: SloUnit): string {
  const text = formatFigure(value, unit)
  if (value === null || value === limit || text !== formatFigure(limit, unit)) return text
  const sign = unit === 'change' || unit === 'points' ? signOf(value) : ''
  const scale = unit === 'ms' || unit === '/s' || unit === 'tokens' ? 1 : 100
  const [scaled, scaledLimit] = [value, limit].map((share) => Math.abs(share) * scale) as [number, number]
  for (let digits = 0; digits <= 12; digits++) {
    if (scaled.toFixed(digits) !== scaledLimit.toFixed(digits)) return `${sign}${scaled.toFixed(digits)}${SUFFIXES[unit]}`
  }
  return text
}
