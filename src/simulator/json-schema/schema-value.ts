import { isDeepStrictEqual } from 'node:util'
import { drawInteger, type Random } from '../../base/index.ts'
import { words } from '../prose.ts'
import { type FlatSchema, flatten, type JsonType } from './flat-schema.ts'
import { numberForSchema } from './number-value.ts'
import { textForPattern } from './pattern-text.ts'
import { SchemaCheck } from './schema-check.ts'
import { stringForSchema } from './string-value.ts'

/** How deep a value may nest; tried in turn, so that recursive schemas stay shallow and deep ones still work. */
const DEPTHS = [5, 10, 24]
/** Work after which nothing optional is added, and after which the attempt is given up. */
const STEPS_FOR_OPTIONAL = 150
const MOST_STEPS = 3_000
/** Choices nested in one another at one place. */
const MOST_CHOICES = 100
/** How often a place is tried again when its value breaks a rule that only the whole value tells. */
const ATTEMPTS = 6
const ATTEMPTS_FOR_UNIQUE = 30

export type ValueSize = 'typical' | 'minimal'

/** No value was found. */
const NONE = Symbol('no value')
type Found = unknown

/**
 * A value that meets all of the JSON Schemas, as a model with guided decoding would write it. References are relative to
 * the first. `minimal` leaves out what may be left out. Unknown keywords are passed over; where the schemas cannot be met
 * within bounds (they contradict each other, or never end) the value is `{}`.
 */
export function valueForSchema(schemas: readonly unknown[], random: Random, size: ValueSize): unknown {
  for (const depth of DEPTHS) {
    const found = new ValueMaker(schemas[0], random, size).make(schemas, depth)
    if (found !== NONE) return found
  }
  return {}
}

/** Fails (`NONE`) where depth or steps run out; whoever had a choice then makes another. */
class ValueMaker {
  readonly #root: unknown
  readonly #random: Random
  readonly #size: ValueSize
  readonly #check: SchemaCheck
  #steps = 0

  constructor(root: unknown, random: Random, size: ValueSize) {
    this.#root = root
    this.#random = random
    this.#size = size
    this.#check = new SchemaCheck(root)
  }

  /** @param decided choices whose branch is among the schemas already */
  make(schemas: readonly unknown[], depth: number, decided: ReadonlySet<unknown> = new Set()): Found {
    if (depth < 0 || decided.size > MOST_CHOICES || this.#steps > MOST_STEPS) return NONE
    const flat = flatten(schemas, this.#root)
    this.#steps += 1 + flat.weight / 10
    if (flat.impossible) return NONE
    const choice = flat.choices.find(({ key }) => !decided.has(key))
    if (choice === undefined) return this.#makeDecided(flat, schemas, depth)
    for (const branch of this.#inTurn(choice.branches)) {
      const found = this.make([...schemas, branch], depth, new Set([...decided, choice.key]))
      if (found !== NONE) return found
    }
    return NONE
  }

  #makeDecided(flat: FlatSchema, schemas: readonly unknown[], depth: number): Found {
    const holds = (value: unknown) => schemas.every((schema) => this.#check.holds(value, schema))
    const [allowed] = flat.allowed
    if (allowed !== undefined) {
      const value = rotated(allowed, this.#random).find(holds)
      return value === undefined ? NONE : value
    }
    for (const type of flat.types === undefined ? likelyTypes(flat) : this.#inTurn(flat.types)) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const value = this.#makeType(type, flat, depth)
        if (value === NONE) break
        if (!flat.needsCheck || holds(value)) return value
      }
    }
    return NONE
  }

  #makeType(type: JsonType, flat: FlatSchema, depth: number): Found {
    switch (type) {
      case 'null':
        return null
      case 'boolean':
        return this.#random() < 0.5
      case 'integer':
      case 'number':
        return numberForSchema(flat, this.#random, type === 'integer') ?? NONE
      case 'string':
        return stringForSchema(flat, this.#random, this.#size) ?? NONE
      case 'array':
        return this.#makeArray(flat, depth)
      case 'object':
        return this.#makeObject(flat, depth)
    }
  }

  #makeArray(flat: FlatSchema, depth: number): Found {
    const fewest = Math.max(flat.minItems, flat.contains.length)
    if (fewest > MOST_STEPS) return NONE
    const wanted = this.#optional() ? Math.max(fewest, drawInteger(this.#random, 1, 3)) : fewest
    const count = Math.min(wanted, flat.maxItems)
    const items: unknown[] = []
    for (let i = 0; i < count; i++) {
      // What the array must contain stands at its end, beyond the items that have a position.
      const contained = flat.contains.slice(i - count, i - count + 1 || undefined)
      const item = this.#makeItem(
        [...(flat.prefixItems[i] ?? flat.items), ...contained],
        flat.uniqueItems ? items : [],
        depth - 1,
      )
      if (item === NONE && i < fewest) return NONE
      if (item === NONE) break
      items.push(item)
    }
    return items.length < fewest ? NONE : items
  }

  #makeItem(schemas: readonly unknown[], others: readonly unknown[], depth: number): Found {
    for (let attempt = 0; attempt < ATTEMPTS_FOR_UNIQUE; attempt++) {
      const item = this.make(schemas, depth)
      if (item === NONE || !others.some((other) => isDeepStrictEqual(other, item))) return item
    }
    return NONE
  }

  #makeObject(flat: FlatSchema, depth: number): Found {
    if (flat.minProperties > MOST_STEPS) return NONE
    const entries = new Map<string, unknown>()
    for (const name of this.#namesFor(flat)) {
      const value = this.make(schemasOfProperty(flat, name), depth - 1)
      if (value !== NONE) entries.set(name, value)
      else if (flat.required.has(name)) return NONE
    }
    const isMap = flat.properties.size === 0 && (flat.patternProperties.length > 0 || flat.additional.length > 0)
    const wanted = Math.max(flat.minProperties, isMap && this.#optional() ? 2 : 0)
    this.#inventEntries(entries, flat, Math.min(wanted, flat.maxProperties), depth)
    const complete = entries.size >= flat.minProperties && entries.size <= flat.maxProperties
    return complete ? Object.fromEntries(entries) : NONE
  }

  /** Those required and some of the others, in the schema's order. */
  #namesFor(flat: FlatSchema): ReadonlySet<string> {
    const chosen = new Set(flat.required)
    for (const name of flat.properties.keys()) {
      const wanted = chosen.size < flat.minProperties || (this.#optional() && this.#random() < 0.6)
      if (wanted && chosen.size < flat.maxProperties) chosen.add(name)
    }
    for (const name of chosen) for (const other of flat.dependentRequired.get(name) ?? []) chosen.add(other)
    return new Set([...[...flat.properties.keys()].filter((name) => chosen.has(name)), ...chosen])
  }

  #inventEntries(entries: Map<string, unknown>, flat: FlatSchema, count: number, depth: number): void {
    const [patterned] = flat.patternProperties
    for (let attempt = 0; entries.size < count && attempt < ATTEMPTS_FOR_UNIQUE + count; attempt++) {
      const name =
        flat.propertyNames.length > 0
          ? this.make([...flat.propertyNames, { type: 'string' }], depth - 1)
          : patterned === undefined
            ? words(this.#random, 1 + Math.floor(Math.log2(attempt + 1) / 2))
            : textForPattern(patterned[0], this.#random, 1, 64)
      if (typeof name !== 'string' || entries.has(name) || flat.properties.has(name)) continue
      const value = this.make(patterned === undefined ? flat.additional : [patterned[1]], depth - 1)
      if (value === NONE) return
      entries.set(name, value)
    }
  }

  #optional(): boolean {
    return this.#size === 'typical' && this.#steps < STEPS_FOR_OPTIONAL
  }

  /** A terse model takes the first that will do. */
  #inTurn<Item>(items: readonly Item[]): readonly Item[] {
    return this.#size === 'minimal' ? items : rotated(items, this.#random)
  }
}

function rotated<Item>(items: readonly Item[], random: Random): readonly Item[] {
  const start = items.length < 2 ? 0 : drawInteger(random, 0, items.length - 1)
  return [...items.slice(start), ...items.slice(0, start)]
}

function schemasOfProperty(flat: FlatSchema, name: string): readonly unknown[] {
  const [patterned] = flat.patternProperties
  return flat.properties.get(name) ?? (patterned === undefined ? flat.additional : [patterned[1]])
}

/** A schema without a type is mostly meant for the kind of value its keywords speak of. */
function likelyTypes(flat: FlatSchema): readonly JsonType[] {
  const others: readonly JsonType[] = ['string', 'object', 'integer', 'array', 'boolean', 'null']
  const speaksOf: Partial<Record<JsonType, boolean>> = {
    object: flat.properties.size + flat.required.size + flat.additional.length + flat.minProperties > 0,
    array: flat.items.length + flat.prefixItems.length + flat.minItems + flat.contains.length > 0,
    string: flat.patterns.length + flat.minLength > 0 || flat.format !== undefined || flat.maxLength < Number.POSITIVE_INFINITY,
    number: flat.multiplesOf.length > 0 || flat.minimum > Number.NEGATIVE_INFINITY || flat.maximum < Number.POSITIVE_INFINITY,
  }
  const likely = (['object', 'array', 'number', 'string'] as const).filter((type) => speaksOf[type] === true)
  return [...likely, ...others]
}
