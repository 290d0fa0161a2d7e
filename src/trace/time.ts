/** Milliseconds since 1970 as a double (a quarter of a microsecond fine), `NaN` when the value is no time. */
export type EpochMs = number

/**
 * Nanoseconds since 1970, as text, number or the two halves of one. Text goes through BigInt: today's nanoseconds are beyond 2^53. Zero is how
 * OTLP writes "not set".
 */
export function fromNanoseconds(value: unknown): EpochMs {
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) {
    const nanoseconds = BigInt(value)
    if (nanoseconds === 0n) return Number.NaN
    return Number(nanoseconds / 1_000_000n) + Number(nanoseconds % 1_000_000n) / 1e6
  }
  if (typeof value === 'object' && value !== null) return fromNanoseconds(longText(value))
  return typeof value === 'number' && value > 0 ? value / 1e6 : Number.NaN
}

/** A 64-bit number as protobufjs decodes it, in two halves. */
function longText(value: object): string {
  const { low, high } = value as { low?: unknown; high?: unknown }
  if (typeof low !== 'number' || typeof high !== 'number') return ''
  return String((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0))
}

const DATE = /(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/
const TIME = /([01]\d|2[0-4]):([0-5]\d)(?::([0-5]\d|60)(?:[.,](\d+))?)?/
const ZONE = /(?:Z|([+-])(\d{2}):?(\d{2})?)/
const ISO = new RegExp(`^${DATE.source}[T ]${TIME.source}\\s*${ZONE.source}?$`, 'i')

/** ISO 8601 with any number of fractional digits. Without a zone it is UTC: recorders in Python write it so. */
export function fromIso(text: string): EpochMs {
  const match = ISO.exec(text.trim())
  if (match === null) return Number.NaN
  const [, year, month, day, hour, minute, second = '0', fraction = '0', sign, offsetHours = '0', offsetMinutes = '0'] = match
  const wholeMs = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000 * (sign === '-' ? -1 : 1)
  return wholeMs - (sign === undefined ? 0 : offsetMs) + Number(`0.${fraction}`) * 1_000
}

/** A time in whatever form: ISO text, or a number (or digits) of seconds, milli-, micro- or nanoseconds, told by its size. */
export function fromAnyTime(value: unknown): EpochMs {
  if (typeof value === 'string') {
    if (/^\d{18,20}$/.test(value)) return fromNanoseconds(value)
    return /^\d+(\.\d+)?$/.test(value) ? fromAnyTime(Number(value)) : fromIso(value)
  }
  if (typeof value !== 'number' || !(value > 0)) return Number.NaN
  if (value < 1e11) return value * 1e3
  if (value < 1e14) return value
  return value < 1e17 ? value / 1e3 : value / 1e6
}
