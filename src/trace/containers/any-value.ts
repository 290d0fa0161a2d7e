import { isJsonObject, type JsonObject, textOf } from '../../message/index.ts'
import { NO_ATTRIBUTES, toAttributes } from '../attributes.ts'
import type { Attributes, AttributeValue } from '../span.ts'

/** Deeper nesting than any recorder writes: beyond it, a value counts as missing. */
const DEEPEST = 100

/** OTLP's list of key-value pairs. */
export function readKeyValues(list: unknown): Attributes {
  return Array.isArray(list) ? toAttributes(keyValues(list, 0)) : NO_ATTRIBUTES
}

function* keyValues(list: readonly unknown[], depth: number): Generator<[string, AttributeValue]> {
  for (const pair of list) if (isJsonObject(pair)) yield [textOf(pair.key), readAnyValue(pair.value, depth)]
}

/** OTLP's tagged value. An empty one is null; bytes stay base64. */
export function readAnyValue(value: unknown, depth = 0): AttributeValue {
  if (!isJsonObject(value) || depth > DEEPEST) return null
  const text = value.stringValue
  if (typeof text === 'string') return text
  if (value.intValue !== undefined) return readInteger(value.intValue)
  if (value.doubleValue !== undefined) return Number(value.doubleValue)
  if (typeof value.boolValue === 'boolean') return value.boolValue
  if (isJsonObject(value.arrayValue)) return listOf(value.arrayValue).map((item) => readAnyValue(item, depth + 1))
  if (isJsonObject(value.kvlistValue)) return readObject(value.kvlistValue, depth)
  return typeof value.bytesValue === 'string' ? value.bytesValue : null
}

function listOf({ values }: JsonObject): readonly unknown[] {
  return Array.isArray(values) ? values : []
}

/** Without a prototype, so that a key named `__proto__` is a key like any other. */
function readObject(list: JsonObject, depth: number): AttributeValue {
  const object: Record<string, AttributeValue> = Object.create(null)
  for (const [key, value] of keyValues(listOf(list), depth + 1)) object[key] = value
  return object
}

/** 64-bit integers are text in OTLP/JSON, numbers in the files of some writers. One that no double can hold stays text. */
function readInteger(value: unknown): AttributeValue {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return null
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
