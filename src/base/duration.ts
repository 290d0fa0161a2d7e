import ms from 'ms'
import { TraceReplayError } from './error.ts'

/** Milliseconds as a number, or text such as `'250ms'`, `'45s'`, `'5m'`, `'1h'`. */
export type Duration = number | string

/**
 * A duration in milliseconds.
 *
 * @param where names the option in the error, for example `"stages[0].duration"`
 * @throws {TraceReplayError} `INVALID_OPTION` when the text has no known unit, or the value is negative or not finite
 */
export function parseDuration(value: Duration, where: string): number {
  const parsed = typeof value === 'number' ? value : parseText(value)
  if (parsed === undefined || !Number.isFinite(parsed) || parsed < 0) {
    throw new TraceReplayError(
      'INVALID_OPTION',
      `${where}: ${typeof value === 'string' ? JSON.stringify(value) : String(value)} is not a duration. Expected milliseconds as a number, or a number with a unit: '250ms', '45s', '5m', '1h'.`,
    )
  }
  return parsed
}

function parseText(text: string): number | undefined {
  if (!/^\s*[\d.]+\s*[a-z]+\s*$/i.test(text)) return undefined
  try {
    return ms(text.trim() as ms.StringValue)
  } catch {
    return undefined
  }
}

/** `1234` → `'1.23s'`, for people; three significant digits, the unit that fits. */
export function formatDuration(valueMs: number): string {
  if (valueMs === Number.POSITIVE_INFINITY) return '∞'
  if (!Number.isFinite(valueMs)) return '–'
  if (valueMs < 1) return `${significant(valueMs, 2)}ms`
  if (significant(valueMs, 3) < 1_000) return `${significant(valueMs, 3)}ms`
  if (significant(valueMs, 3) < 60_000) return `${significant(valueMs / 1_000, 3)}s`
  const wholeSeconds = Math.round(valueMs / 1_000)
  const minutes = Math.floor(wholeSeconds / 60)
  const seconds = wholeSeconds % 60
  return seconds === 0 ? `${minutes}m` : `${minutes}m ${seconds}s`
}

function significant(value: number, digits: number): number {
  return Number(value.toPrecision(digits))
}
