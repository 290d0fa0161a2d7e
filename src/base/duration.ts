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
      `${where}: ${JSON.stringify(value)} is not a duration. Expected milliseconds as a number, or a number with a unit: '250ms', '45s', '5m', '1h'.`,
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
  if (valueMs < 1) return `${Number(valueMs.toPrecision(2))}ms`
  if (valueMs < 1_000) return `${Number(valueMs.toPrecision(3))}ms`
  if (valueMs < 60_000) return `${Number((valueMs / 1_000).toPrecision(3))}s`
  const minutes = Math.floor(valueMs / 60_000)
  const seconds = Math.round((valueMs % 60_000) / 1_000)
  if (seconds === 60) return `${minutes + 1}m`
  return seconds === 0 ? `${minutes}m` : `${minutes}m ${seconds}s`
}
