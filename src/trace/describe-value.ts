import { isJsonObject } from '../message/index.ts'

/** What was found, for an error: the kind of value and its outline, never its whole content. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) {
    const [first] = value
    return value.length === 0 ? 'an empty list' : `a list of ${value.length}, the first of them ${describeItem(first)}`
  }
  return describeItem(value)
}

function describeItem(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return `the text ${JSON.stringify(shortened(value, 40))}`
  if (!isJsonObject(value)) return `the ${typeof value} ${String(value)}`
  const keys = Object.keys(value)
  if (keys.length === 0) return 'an empty object'
  const shown = keys.slice(0, 10).map((key) => JSON.stringify(shortened(key, 40)))
  return `an object with the keys ${shown.join(', ')}${keys.length > shown.length ? ', …' : ''}`
}

export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
