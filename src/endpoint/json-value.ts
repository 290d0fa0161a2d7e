/** Reading values whose shape another program decided: nothing is trusted, nothing throws. */

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as an object; an empty one when it is anything else. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A count of something: a finite number that is not negative. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The head of a text on one line, for messages. */
export function excerpt(text: string, length = 200): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
