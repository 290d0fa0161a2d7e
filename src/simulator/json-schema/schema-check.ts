import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../body-fields.ts'
import { type FlatSchema, flatten, type JsonType, resolveReference } from './flat-schema.ts'

/** Work after which everything is taken on trust: schemas that refer to themselves can branch without end. */
const MOST_STEPS = 10_000
/** Deeper than any value the generator makes. */
const DEEPEST = 100

/**
 * Whether values meet a JSON Schema, as far as the generator needs to know: `pattern`, `format` and `patternProperties`
 * are taken on trust, since a hostile regular expression must never run.
 */
export class SchemaCheck {
  readonly #root: unknown
  #steps = 0
  #depth = 0

  /** @param root what references are relative to */
  constructor(root: unknown) {
    this.#root = root
  }

  holds(value: unknown, schema: unknown): boolean {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema) || this.#depth > DEEPEST || ++this.#steps > MOST_STEPS) return true
    this.#depth++
    const holds = this.#meetsCombinators(value, schema) && this.#meetsKeywords(value, schema)
    this.#depth--
    return holds
  }

  #meetsCombinators(value: unknown, schema: JsonObject): boolean {
    const meets = (inner: unknown) => this.holds(value, inner)
    if (typeof schema.$ref === 'string' && !meets(resolveReference(schema.$ref, this.#root))) return false
    if (Array.isArray(schema.allOf) && !schema.allOf.every(meets)) return false
    if (Array.isArray(schema.anyOf) && !schema.anyOf.some(meets)) return false
    if (Array.isArray(schema.oneOf) && schema.oneOf.filter(meets).length !== 1) return false
    if (Object.hasOwn(schema, 'not') && meets(schema.not)) return false
    return !Object.hasOwn(schema, 'if') || meets((meets(schema.if) ? schema.then : schema.else) ?? true)
  }

  #meetsKeywords(value: unknown, schema: JsonObject): boolean {
    const { $ref: _ref, allOf: _allOf, ...plain } = schema
    const flat = flatten([plain], this.#root)
    this.#steps += flat.weight / 10
    if (!allowsType(flat, value)) return false
    if (!flat.allowed.every((values) => values.some((allowed) => isDeepStrictEqual(allowed, value)))) return false
    if (typeof value === 'number') return meetsNumber(value, flat)
    if (typeof value === 'string') return meetsLength(value, flat)
    if (Array.isArray(value)) return this.#meetsArray(value, flat, schema)
    return !isObject(value) || this.#meetsObject(value, flat)
  }

  #meetsArray(value: readonly unknown[], flat: FlatSchema, schema: JsonObject): boolean {
    if (value.length < flat.minItems || value.length > flat.maxItems) return false
    if (flat.uniqueItems && value.some((item, i) => value.slice(0, i).some((other) => isDeepStrictEqual(item, other))))
      return false
    const fits = value.every((item, i) => (flat.prefixItems[i] ?? flat.items).every((inner) => this.holds(item, inner)))
    if (!fits || schema.contains === undefined) return fits
    const contained = value.filter((item) => this.holds(item, schema.contains)).length
    const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema
    return contained >= Number(minContains) && contained <= Number(maxContains)
  }

  #meetsObject(value: JsonObject, flat: FlatSchema): boolean {
    const names = Object.keys(value)
    if (names.length < flat.minProperties || names.length > flat.maxProperties) return false
    for (const name of flat.required) if (!Object.hasOwn(value, name)) return false
    return names.every((name) => {
      const additional = flat.patternProperties.length > 0 ? [] : flat.additional
      const schemas = flat.properties.get(name) ?? additional
      const others = flat.dependentRequired.get(name) ?? []
      return (
        schemas.every((inner) => this.holds(value[name], inner)) &&
        flat.propertyNames.every((inner) => this.holds(name, inner)) &&
        others.every((other) => Object.hasOwn(value, other))
      )
    })
  }
}

function allowsType(flat: FlatSchema, value: unknown): boolean {
  if (flat.types === undefined) return true
  const type = typeOf(value)
  return flat.types.includes(type) || (type === 'integer' && flat.types.includes('number'))
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'string') return 'string'
  return typeof value === 'boolean' ? 'boolean' : 'object'
}

export function meetsNumber(value: number, flat: FlatSchema): boolean {
  const { minimum, maximum } = flat
  if (flat.exclusiveMinimum ? value <= minimum : value < minimum) return false
  if (flat.exclusiveMaximum ? value >= maximum : value > maximum) return false
  return flat.multiplesOf.every((step) => Number.isInteger(value / step))
}

function meetsLength(value: string, flat: FlatSchema): boolean {
  const length = [...value].length
  return length >= flat.minLength && length <= flat.maxLength
}
