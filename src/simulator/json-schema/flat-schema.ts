import { isObject } from '../body-fields.ts'

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

const JSON_TYPES: readonly JsonType[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

/**
 * One place of a JSON Schema with its `$ref`s followed and its `allOf`s poured together. Where several schemas must hold
 * for a child they stand side by side, to be flattened when the child's turn comes.
 */
export interface FlatSchema {
  /** `undefined`: any. */
  types: readonly JsonType[] | undefined
  /** Each a set of allowed values; all must hold. */
  readonly allowed: (readonly unknown[])[]
  /** From each at least one branch must hold: `anyOf`, `oneOf`, `if`. The same choice has the same key each time. */
  readonly choices: { readonly key: unknown; readonly branches: readonly unknown[] }[]
  /** Something only the finished value tells: `not`, `oneOf`, `if`. */
  needsCheck: boolean
  /** No value can meet it. */
  impossible: boolean
  /** How many keywords and names went in: what it costs to look at. */
  weight: number

  minimum: number
  maximum: number
  exclusiveMinimum: boolean
  exclusiveMaximum: boolean
  readonly multiplesOf: number[]

  minLength: number
  maxLength: number
  readonly patterns: string[]
  format: string | undefined

  readonly properties: Map<string, unknown[]>
  readonly required: Set<string>
  /** Schemas of properties that are not named; `false` among them forbids any. */
  readonly additional: unknown[]
  readonly propertyNames: unknown[]
  readonly patternProperties: [pattern: string, schema: unknown][]
  readonly dependentRequired: Map<string, readonly string[]>
  minProperties: number
  maxProperties: number

  /** By position. */
  readonly prefixItems: unknown[][]
  /** Beyond those with a position. */
  readonly items: unknown[]
  readonly contains: unknown[]
  minItems: number
  maxItems: number
  uniqueItems: boolean
}

/** @param root what `#/…` references start from */
export function flatten(schemas: readonly unknown[], root: unknown): FlatSchema {
  const flat: FlatSchema = {
    types: undefined,
    allowed: [],
    choices: [],
    needsCheck: false,
    impossible: false,
    weight: 0,
    minimum: Number.NEGATIVE_INFINITY,
    maximum: Number.POSITIVE_INFINITY,
    exclusiveMinimum: false,
    exclusiveMaximum: false,
    multiplesOf: [],
    minLength: 0,
    maxLength: Number.POSITIVE_INFINITY,
    patterns: [],
    format: undefined,
    properties: new Map(),
    required: new Set(),
    additional: [],
    propertyNames: [],
    patternProperties: [],
    dependentRequired: new Map(),
    minProperties: 0,
    maxProperties: Number.POSITIVE_INFINITY,
    prefixItems: [],
    items: [],
    contains: [],
    minItems: 0,
    maxItems: Number.POSITIVE_INFINITY,
    uniqueItems: false,
  }
  pour(flat, schemas, root)
  return flat
}

function pour(flat: FlatSchema, schemas: readonly unknown[], root: unknown): void {
  // A worklist, so that neither a deep nor a circular schema can exhaust the stack; each schema is poured once.
  const seen = new Set<unknown>()
  const pending = schemas.toReversed()
  while (pending.length > 0) {
    const schema = pending.pop()
    if (schema === false) flat.impossible = true
    if (!isObject(schema) || seen.has(schema)) continue
    seen.add(schema)
    if (typeof schema.$ref === 'string') pending.push(resolveReference(schema.$ref, root))
    if (Array.isArray(schema.allOf)) for (const part of schema.allOf.toReversed()) pending.push(part)
    flat.weight += Object.keys(schema).length
    pourGeneral(flat, schema)
    pourNumbers(flat, schema)
    pourStrings(flat, schema)
    pourObjects(flat, schema)
    pourArrays(flat, schema)
  }
}

/** What a local reference points to; one that points nowhere, or outside, allows anything. */
export function resolveReference(reference: string, root: unknown): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return {}
  let target: unknown = root
  for (const token of decodePointer(reference.slice(2))) {
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, token)) return {}
    target = (target as Record<string, unknown>)[token]
  }
  return target
}

function decodePointer(pointer: string): string[] {
  let text = pointer
  try {
    text = decodeURIComponent(pointer)
  } catch {
    // Not percent-encoded after all.
  }
  return text.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function pourGeneral(flat: FlatSchema, schema: Readonly<Record<string, unknown>>): void {
  const types = typesOf(schema)
  if (types !== undefined) flat.types = flat.types === undefined ? types : intersect(flat.types, types)
  if (Array.isArray(schema.enum)) flat.allowed.push(schema.enum)
  if (Object.hasOwn(schema, 'const')) flat.allowed.push([schema.const])
  for (const key of ['anyOf', 'oneOf']) {
    const branches = schema[key]
    if (Array.isArray(branches) && branches.length > 0) flat.choices.push({ key: branches, branches })
  }
  if (Object.hasOwn(schema, 'if')) {
    flat.choices.push({ key: schema, branches: [{ allOf: [schema.if, schema.then ?? {}] }, schema.else ?? {}] })
  }
  if (Object.hasOwn(schema, 'not') || Object.hasOwn(schema, 'oneOf') || Object.hasOwn(schema, 'if')) flat.needsCheck = true
}

/** Gemini's dialect writes types in capitals. */
function typesOf(schema: Readonly<Record<string, unknown>>): readonly JsonType[] | undefined {
  if (schema.type === undefined) return undefined
  const names = [schema.type].flat().map((name) => String(name).toLowerCase())
  const types = JSON_TYPES.filter((type) => names.includes(type))
  return types.length === 0 ? undefined : types
}

function intersect(some: readonly JsonType[], others: readonly JsonType[]): readonly JsonType[] {
  const covers = (types: readonly JsonType[], type: JsonType) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  return JSON_TYPES.filter((type) => covers(some, type) && covers(others, type))
}

function pourNumbers(flat: FlatSchema, schema: Readonly<Record<string, unknown>>): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  // Draft 4 marks a bound as exclusive by a boolean beside it.
  if (typeof minimum === 'number') raiseMinimum(flat, minimum, exclusiveMinimum === true)
  if (typeof maximum === 'number') lowerMaximum(flat, maximum, exclusiveMaximum === true)
  if (typeof exclusiveMinimum === 'number') raiseMinimum(flat, exclusiveMinimum, true)
  if (typeof exclusiveMaximum === 'number') lowerMaximum(flat, exclusiveMaximum, true)
  if (typeof multipleOf === 'number' && multipleOf > 0) flat.multiplesOf.push(multipleOf)
}

function raiseMinimum(flat: FlatSchema, bound: number, exclusive: boolean): void {
  if (bound < flat.minimum) return
  flat.exclusiveMinimum = exclusive || (bound === flat.minimum && flat.exclusiveMinimum)
  flat.minimum = bound
}

function lowerMaximum(flat: FlatSchema, bound: number, exclusive: boolean): void {
  if (bound > flat.maximum) return
  flat.exclusiveMaximum = exclusive || (bound === flat.maximum && flat.exclusiveMaximum)
  flat.maximum = bound
}

function pourStrings(flat: FlatSchema, schema: Readonly<Record<string, unknown>>): void {
  flat.minLength = Math.max(flat.minLength, numberOr(schema.minLength, 0))
  flat.maxLength = Math.min(flat.maxLength, numberOr(schema.maxLength, Number.POSITIVE_INFINITY))
  if (typeof schema.pattern === 'string') flat.patterns.push(schema.pattern)
  if (typeof schema.format === 'string') flat.format ??= schema.format
}

function pourObjects(flat: FlatSchema, schema: Readonly<Record<string, unknown>>): void {
  const own = isObject(schema.properties) ? schema.properties : {}
  const patterned = isObject(schema.patternProperties) ? schema.patternProperties : {}
  // What another schema names and this one forbids stays forbidden, and the other way round.
  if (schema.additionalProperties !== undefined && Object.keys(patterned).length === 0) {
    for (const [name, schemas] of flat.properties) {
      if (!Object.hasOwn(own, name)) schemas.push(schema.additionalProperties)
    }
  }
  for (const [name, property] of Object.entries(own)) {
    const known = flat.properties.get(name)
    if (known === undefined) flat.properties.set(name, [property, ...flat.additional])
    else known.push(property)
  }
  if (schema.additionalProperties !== undefined) flat.additional.push(schema.additionalProperties)
  for (const entry of Object.entries(patterned)) flat.patternProperties.push(entry)
  flat.weight += flat.properties.size + flat.patternProperties.length
  if (schema.propertyNames !== undefined) flat.propertyNames.push(schema.propertyNames)
  if (Array.isArray(schema.required)) for (const name of schema.required) flat.required.add(String(name))
  if (isObject(schema.dependentRequired)) {
    for (const [name, others] of Object.entries(schema.dependentRequired)) {
      if (Array.isArray(others))
        flat.dependentRequired.set(name, [...(flat.dependentRequired.get(name) ?? []), ...others.map(String)])
    }
  }
  flat.minProperties = Math.max(flat.minProperties, numberOr(schema.minProperties, 0))
  flat.maxProperties = Math.min(flat.maxProperties, numberOr(schema.maxProperties, Number.POSITIVE_INFINITY))
}

function pourArrays(flat: FlatSchema, schema: Readonly<Record<string, unknown>>): void {
  // Before draft 2020-12 an array under `items` gave the schemas by position.
  const tuple = Array.isArray(schema.prefixItems) ? schema.prefixItems : Array.isArray(schema.items) ? schema.items : []
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items
  for (let i = 0; i < Math.max(tuple.length, flat.prefixItems.length); i++) {
    const position = flat.prefixItems[i] ?? [...flat.items]
    if (i < tuple.length) position.push(tuple[i])
    else if (rest !== undefined) position.push(rest)
    flat.prefixItems[i] = position
  }
  if (rest !== undefined) flat.items.push(rest)
  if (schema.contains !== undefined) {
    for (let i = 0; i < Math.min(16, numberOr(schema.minContains, 1)); i++) flat.contains.push(schema.contains)
    if (schema.maxContains !== undefined) flat.needsCheck = true
  }
  flat.minItems = Math.max(flat.minItems, numberOr(schema.minItems, 0))
  flat.maxItems = Math.min(flat.maxItems, numberOr(schema.maxItems, Number.POSITIVE_INFINITY))
  if (schema.uniqueItems === true) flat.uniqueItems = true
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback
}
