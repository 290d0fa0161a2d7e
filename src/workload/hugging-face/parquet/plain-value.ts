import type { ParquetParsers } from 'hyparquet'

/**
 * How leaves of a table are read that JSON has no type for: instants as milliseconds since 1970 with fractions, days as ISO
 * dates, JSON as the text it is.
 */
export const plainParsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: Number,
  timestampFromMicroseconds: (micros) => Number(micros) / 1e3,
  timestampFromNanoseconds: (nanos) => Number(nanos) / 1e6,
  dateFromDays: isoDate,
  jsonFromBytes: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(),
}

const MILLISECONDS_PER_DAY = 86_400_000

function isoDate(days: number): string | null {
  const date = new Date(days * MILLISECONDS_PER_DAY)
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10)
}

/** A leaf as JSON would have it: whole numbers beyond 2^53 as digits, bytes as hex. */
export function toPlainValue(value: unknown): string | number | boolean | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : null
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
    default:
      return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex') : null
  }
}
