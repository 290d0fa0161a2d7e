import type { Attributes, AttributeValue } from './span.ts'

export const NO_ATTRIBUTES: Attributes = new Map()

/** The map a span carries: entries without a value are left out. */
export function toAttributes(entries: Iterable<readonly [string, AttributeValue]>): Attributes {
  const attributes = new Map<string, AttributeValue>()
  for (const [key, value] of entries) if (!isEmpty(value)) attributes.set(key, value)
  return attributes
}

function isEmpty(value: AttributeValue | undefined): boolean {
  if (value === null || value === undefined || value === '') return true
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.length === 0
  for (const _ in value) return false
  return true
}

/** The attribute as text, `''` when it is missing or of another kind. */
export function textAt(attributes: Attributes, key: string): string {
  const value = attributes.get(key)
  return typeof value === 'string' ? value : ''
}

/** The first of the attributes that holds a finite number; recorders also write numbers as text. */
export function numberAt(attributes: Attributes, ...keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const value = attributes.get(key)
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number === 'number' && Number.isFinite(number)) return number
  }
  return undefined
}
