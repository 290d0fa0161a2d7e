import { createHmac } from 'node:crypto'

/** Attributes that name things instead of holding what people or models wrote. */
const KEPT_ATTRIBUTES =
  /(?:^|\.)(?:id|ids|name|model|system|provider|type|kind|role|operation|operationId|finish_reason|finish_reasons|mime_type|address|port|version|language|status|code)$|^(?:service|telemetry|gen_ai\.request|gen_ai\.usage|gen_ai\.operation|llm\.token_count|ai\.usage|ai\.settings|otel)\./

/** Fields of messages, tools and schemas whose texts are structure. */
const KEPT_FIELDS = new Set([
  'role',
  'type',
  'id',
  'name',
  'tool_call_id',
  'tool_use_id',
  'toolCallId',
  'toolName',
  'call_id',
  'finish_reason',
  'mime_type',
  'modality',
  'model',
  'object',
  'required',
  'format',
  '$ref',
  '$schema',
])

/** Deeper nesting is replaced as a whole. */
const DEEPEST = 60

const WORD = /[\p{L}\p{M}\p{N}]+/gu
const LETTERS = 'etaoinshrdlucmfwypvbgkqjxz'

type Json = Readonly<Record<string, unknown>>

/**
 * Replaces what people and models wrote by filler of the same shape: every word by one of the same length, everywhere by the same
 * one. Texts that were equal stay equal, and a text that stood inside another still does, so the graph of a session survives, and
 * with it about the number of tokens. Roles, names of tools and models, ids, numbers and times stay.
 *
 * @param key what words are replaced by follows from it; it is not stored, so the words cannot be looked up again
 */
export function redactor(key: Uint8Array): (request: object) => object {
  const words = new Map<string, string>()
  const word = (original: string): string => {
    const known = words.get(original)
    if (known !== undefined) return known
    const made = filler(original, key)
    words.set(original, made)
    return made
  }
  const text = (value: string): string => value.replace(WORD, word)
  return (request) => redactRequest(request, text) as object
}

/** Same length, same case, digits for digits. */
function filler(original: string, key: Uint8Array): string {
  let made = ''
  for (let block = 0; made.length < original.length; block++) {
    const bytes = createHmac('sha256', key).update(`${block} ${original}`).digest()
    for (const byte of bytes) {
      const unit = original[made.length]
      if (unit === undefined) break
      made += replacementFor(unit, byte)
    }
  }
  return made
}

function replacementFor(unit: string, byte: number): string {
  if (/\d/.test(unit)) return String(byte % 10)
  const letter = LETTERS[byte % LETTERS.length] ?? 'e'
  return unit !== unit.toLowerCase() ? letter.toUpperCase() : letter
}

/** Walks OTLP/JSON: attributes by their key, bodies and events by their fields. */
function redactRequest(value: unknown, text: (value: string) => string, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((item) => redactRequest(item, text, depth + 1))
  if (!isObject(value)) return value
  if (typeof value.key === 'string' && isObject(value.value)) return redactAttribute(value, text)
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => {
      // An error's message may quote anything.
      if (field === 'message' && typeof inner === 'string') return [field, text(inner)]
      if (field === 'body' && isObject(inner)) return [field, redactAnyValue(inner, '', text, 0)]
      return [field, redactRequest(inner, text, depth + 1)]
    }),
  )
}

function redactAttribute(attribute: Json, text: (value: string) => string): Json {
  const key = String(attribute.key)
  if (KEPT_ATTRIBUTES.test(key)) return attribute
  return { ...attribute, value: redactAnyValue(attribute.value as Json, '', text, 0) }
}

/** OTLP's tagged values. */
function redactAnyValue(value: Json, field: string, text: (value: string) => string, depth: number): Json {
  if (depth > DEEPEST) return {}
  if (typeof value.stringValue === 'string') return { stringValue: redactText(value.stringValue, field, text) }
  if (typeof value.bytesValue === 'string') return { bytesValue: '' }
  const nested = isObject(value.kvlistValue) ? value.kvlistValue : isObject(value.arrayValue) ? value.arrayValue : undefined
  if (nested === undefined) return value
  const values = (Array.isArray(nested.values) ? nested.values : []).filter(isObject).map((entry) => {
    if (value.arrayValue !== undefined) return redactAnyValue(entry, field, text, depth + 1)
    const name = String(entry.key ?? '')
    return { ...entry, value: isObject(entry.value) ? redactAnyValue(entry.value, name, text, depth + 1) : entry.value }
  })
  return value.arrayValue === undefined ? { kvlistValue: { values } } : { arrayValue: { values } }
}

/** JSON inside a text stays JSON. */
function redactText(value: string, field: string, text: (value: string) => string): string {
  if (KEPT_FIELDS.has(field)) return value
  if (!/^\s*[[{"]/.test(value)) return text(value)
  try {
    return JSON.stringify(redactJson(JSON.parse(value), '', text, 0))
  } catch {
    return text(value)
  }
}

function redactJson(value: unknown, field: string, text: (value: string) => string, depth: number): unknown {
  if (depth > DEEPEST) return null
  if (typeof value === 'string') return redactText(value, field, text)
  if (Array.isArray(value)) return value.map((item) => redactJson(item, field, text, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactJson(inner, name, text, depth + 1)]))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
