import { isJsonObject, type JsonObject } from './json.ts'

/** Deeper schemas than this are kept as they are. */
const DEEPEST = 64

/** Keywords whose value is a schema, a list of schemas, or an object of named schemas. */
const SCHEMA = ['items', 'additionalProperties']
const LIST = ['anyOf', 'any_of', 'prefixItems']
const NAMED = ['properties', 'defs', '$defs']

/**
 * Gemini's schemas are JSON Schema but for their types, which are upper-case names of an enum: `OBJECT`, `STRING`. Servers
 * of other APIs refuse those.
 *
 * @returns the same object when it has no such type at its top
 */
export function withLowerCaseTypes(schema: JsonObject, depth = 0): JsonObject {
  if (depth > DEEPEST || !hasUpperCaseType(schema)) return schema
  const inner = (value: unknown) => (isJsonObject(value) ? withLowerCaseTypes(value, depth + 1) : value)
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'type' && typeof value === 'string') return [key, value.toLowerCase()]
      if (SCHEMA.includes(key)) return [key, inner(value)]
      if (LIST.includes(key) && Array.isArray(value)) return [key === 'any_of' ? 'anyOf' : key, value.map(inner)]
      if (NAMED.includes(key) && isJsonObject(value)) {
        return [key, Object.fromEntries(Object.entries(value).map(([name, property]) => [name, inner(property)]))]
      }
      return [key, value]
    }),
  )
}

function hasUpperCaseType({ type, anyOf, any_of: anyOfToo }: JsonObject): boolean {
  if (typeof type === 'string') return /^[A-Z_]+$/.test(type)
  return anyOf !== undefined || anyOfToo !== undefined
}
