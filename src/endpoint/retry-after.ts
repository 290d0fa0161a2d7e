/**
 * How long a server asks to wait, from `retry-after-ms`, or `retry-after` in seconds or as a date. The date is held against
 * the response's own `date`, so that a wall clock that differs from the server's does not matter.
 */
export function readRetryAfter(headers: Readonly<Record<string, string | string[] | undefined>>): number | undefined {
  const milliseconds = numberOf(headers['retry-after-ms'])
  if (milliseconds !== undefined) return milliseconds
  const value = headers['retry-after']
  const seconds = numberOf(value)
  if (seconds !== undefined) return seconds * 1_000
  // Without a look at the form, `-5` would pass for a date.
  const untilMs = typeof value === 'string' && /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(untilMs)) return undefined
  const sentMs = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN
  return Math.max(0, untilMs - (Number.isNaN(sentMs) ? Date.now() : sentMs))
}

function numberOf(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined
}
