/** An object that came from outside. Its keys are chosen by whoever wrote the trace: read it, never merge it into another. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text if the value is one, else `''`. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A text as it stands, nothing as `''`, anything else as JSON text. */
export function jsonTextOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  return JSON.stringify(value) ?? ''
}
