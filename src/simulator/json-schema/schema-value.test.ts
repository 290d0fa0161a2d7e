import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { type Random, seededRandom } from '../../base/index.ts'
import { randomSchema } from './random-schema.fixture.ts'
import { type ValueSize, valueForSchema } from './schema-value.ts'

const SEEDS = 25

const FORMATS = {
  'date-time': (text: string) => !Number.isNaN(Date.parse(text)) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text),
  date: (text: string) => !Number.isNaN(Date.parse(text)) && /^\d{4}-\d\d-\d\d$/.test(text),
  time: /^([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/,
  duration: /^P(T?\d+[DHMS])+$/,
  email: /^[^@\s]+@[^@\s]+\.[^@\s]+$/,
  uri: (text: string) => URL.canParse(text),
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/,
  hostname: /^[a-z\d-]+(\.[a-z\d-]+)*$/,
  ipv4: /^(\d{1,3}\.){3}\d{1,3}$/,
  ipv6: /^[\da-f:]+$/,
}

const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, formats: FORMATS, multipleOfPrecision: 9 })

/** @returns what is wrong with a value */
function validatorOf(schema: unknown): (value: unknown) => string | undefined {
  const validate = ajv.compile(schema as object | boolean)
  return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors))
}

/** Every value for many seeds and both sizes, as it comes out of JSON. */
function valuesFor(schema: unknown, seeds = SEEDS): unknown[] {
  const make = (random: Random, size: ValueSize) => JSON.parse(JSON.stringify(valueForSchema([schema], random, size))) as unknown
  return Array.from({ length: seeds }, (_, seed) =>
    (['typical', 'minimal'] as const).map((size) => make(seededRandom(seed), size)),
  ).flat()
}

const TREE = {
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
      required: ['name', 'children'],
      additionalProperties: false,
    },
  },
}

describe('a value meets', () => {
  test.each<[string, unknown]>([
    ['no constraint', {}],
    ['true', true],
    ['a null', { type: 'null' }],
    ['a boolean', { type: 'boolean' }],
    ['an integer', { type: 'integer' }],
    ['an integer of one value', { type: 'integer', minimum: 7, maximum: 7 }],
    ['an integer between', { type: 'integer', minimum: -3, maximum: 4 }],
    ['an integer beyond exclusive bounds', { type: 'integer', exclusiveMinimum: 2, exclusiveMaximum: 4 }],
    ['a negative integer', { type: 'integer', maximum: -5 }],
    ['an integer with fractional bounds', { type: 'integer', minimum: 0.5, maximum: 1.5 }],
    ['a number in a narrow range', { type: 'number', minimum: 0.001, maximum: 0.002 }],
    ['a number between exclusive bounds', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
    ['a probability', { type: 'number', minimum: 0, maximum: 1 }],
    ['a multiple', { type: 'integer', multipleOf: 25, minimum: 1 }],
    ['a large multiple', { type: 'integer', multipleOf: 1_000, exclusiveMinimum: 0 }],
    ['a decimal multiple', { type: 'number', multipleOf: 0.01, minimum: 3 }],
    ['two multiples at once', { allOf: [{ multipleOf: 4 }, { multipleOf: 6 }], type: 'integer' }],
    ['huge bounds', { type: 'number', minimum: -1e308, maximum: 1e308 }],
    ['a 64-bit integer', { type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 }],
    ['a string', { type: 'string' }],
    ['an empty string', { type: 'string', maxLength: 0 }],
    ['a string of exact length', { type: 'string', minLength: 9, maxLength: 9 }],
    ['a long string', { type: 'string', minLength: 500 }],
    ['a short string', { type: 'string', maxLength: 3 }],
    ...Object.keys(FORMATS).map((format): [string, unknown] => [`the format ${format}`, { type: 'string', format }]),
    ['an unknown format', { type: 'string', format: 'phone-number' }],
    ['a name like a built-in as format', { type: 'string', format: 'constructor' }],
    ['a pattern', { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }],
    ['a pattern and a length', { type: 'string', pattern: '^[a-z]+$', minLength: 20, maxLength: 24 }],
    ['a pattern without anchors', { type: 'string', pattern: 'ab+c' }],
    ['an enum', { enum: ['a', 2, null, { b: [1] }] }],
    ['an enum cut by a type', { type: 'string', enum: ['a', 2, null] }],
    ['an enum cut by a length', { enum: ['a', 'bb', 'ccc'], minLength: 2, maxLength: 2 }],
    ['a const', { const: { deep: [1, { x: null }] } }],
    ['a const of null', { const: null }],
    ['several types', { type: ['string', 'null', 'integer'] }],
    ['an object without properties', { type: 'object', additionalProperties: false }],
    [
      'required and optional properties',
      {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, maximum: 7 }, unit: { enum: ['C', 'F'] } },
        required: ['city'],
        additionalProperties: false,
      },
    ],
    ['a required property that is not described', { type: 'object', required: ['id'] }],
    ['a map', { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 3, maxProperties: 5 }],
    [
      'named keys',
      { type: 'object', propertyNames: { enum: ['x', 'y', 'z'] }, additionalProperties: { type: 'number' }, minProperties: 3 },
    ],
    [
      'keys by pattern',
      {
        type: 'object',
        patternProperties: { '^x-[a-z]{2}$': { type: 'boolean' } },
        additionalProperties: false,
        minProperties: 2,
      },
    ],
    ['at most so many properties', { type: 'object', properties: { a: true, b: true, c: true }, maxProperties: 1 }],
    [
      'at least so many properties',
      { type: 'object', properties: { a: { type: 'null' }, b: { type: 'null' } }, additionalProperties: false, minProperties: 2 },
    ],
    [
      'properties that need others',
      { type: 'object', properties: { a: {}, b: {}, c: {} }, dependentRequired: { a: ['b'], b: ['c'] } },
    ],
    [
      'keys that shadow built-ins',
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}},"required":["__proto__","constructor","toString"]}',
      ),
    ],
    ['an array', { type: 'array', items: { type: 'integer' } }],
    ['an array of exact length', { type: 'array', items: { type: 'string' }, minItems: 4, maxItems: 4 }],
    ['an empty array', { type: 'array', maxItems: 0 }],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 }],
    ['a tuple with a rest', { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'boolean' }, minItems: 3 }],
    ['an array with no repetition', { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 3 }],
    ['an array that contains', { type: 'array', items: { type: ['integer', 'string'] }, contains: { const: 'x' }, minItems: 2 }],
    [
      'an array that contains several',
      { type: 'array', contains: { type: 'integer', minimum: 5 }, minContains: 2, maxContains: 3 },
    ],
    [
      'nested objects and arrays',
      {
        type: 'object',
        required: ['a'],
        properties: {
          a: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              required: ['b'],
              properties: { b: { type: 'array', minItems: 2, items: { type: 'number' } } },
            },
          },
        },
      },
    ],
    [
      'anyOf',
      {
        anyOf: [
          { type: 'string', minLength: 3 },
          { type: 'integer', minimum: 10 },
        ],
      },
    ],
    [
      'anyOf with a shared part',
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        additionalProperties: false,
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
      },
    ],
    ['oneOf, exactly one', { type: 'integer', oneOf: [{ multipleOf: 3 }, { multipleOf: 5 }], minimum: 1, maximum: 100 }],
    [
      'oneOf told apart by a const',
      {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'a' }, x: { type: 'integer' } }, required: ['kind', 'x'] },
          { type: 'object', properties: { kind: { const: 'b' } }, required: ['kind'] },
        ],
      },
    ],
    [
      'oneOf of overlapping objects',
      {
        oneOf: [
          { type: 'object', properties: { a: { type: 'string' } } },
          { type: 'object', required: ['b'] },
        ],
      },
    ],
    [
      'allOf',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'integer' }, a: { maxLength: 4 } }, required: ['b'] },
        ],
      },
    ],
    [
      'allOf where one part is closed',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
          { properties: { b: { type: 'integer' } } },
        ],
      },
    ],
    [
      'allOf where the last part is closed',
      {
        allOf: [
          { properties: { b: { type: 'integer' } } },
          { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
        ],
      },
    ],
    [
      'allOf of anyOfs',
      {
        allOf: [{ anyOf: [{ minimum: 5 }, { maximum: -5 }] }, { anyOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }],
        type: 'integer',
      },
    ],
    ['not', { type: 'object', properties: { a: { type: 'integer' } }, not: { required: ['a'] } }],
    ['not of a type', { not: { type: 'string' } }],
    [
      'if and then',
      JSON.parse(
        '{"type":"object","properties":{"kind":{"enum":["card","cash"]},"number":{"type":"string"}},"required":["kind"],"if":{"properties":{"kind":{"const":"card"}}},"then":{"required":["number"]},"else":{"not":{"required":["number"]}}}',
      ),
    ],
    [
      'a reference',
      {
        $defs: { id: { type: 'string', minLength: 4 } },
        type: 'object',
        properties: { id: { $ref: '#/$defs/id' } },
        required: ['id'],
      },
    ],
    ['a reference with a sibling', { $defs: { id: { type: 'string' } }, $ref: '#/$defs/id', minLength: 40 }],
    ['an escaped reference', { definitions: { 'a/b~c%': { const: 'found' } }, $ref: '#/definitions/a~1b~0c%25' }],
    ['a tree', TREE],
    [
      'a list linked by anyOf',
      {
        $ref: '#/$defs/list',
        $defs: {
          list: {
            anyOf: [{ type: 'object', properties: { next: { $ref: '#/$defs/list' } }, required: ['next'] }, { type: 'null' }],
          },
        },
      },
    ],
    ['a pattern of exact length', { type: 'string', pattern: '^[a-z]+$', minLength: 100, maxLength: 100 }],
    ['ten levels of required nesting', nested(10)],
    [
      'what pydantic writes',
      {
        type: 'object',
        properties: { limit: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null, title: 'Limit' } },
        required: ['limit'],
        title: 'Arguments',
      },
    ],
  ])('%s', (_, schema) => {
    const problemOf = validatorOf(schema)
    for (const value of valuesFor(schema)) expect(problemOf(value), JSON.stringify(value)).toBeUndefined()
  })
})

function nested(levels: number): unknown {
  let schema: unknown = { type: 'string' }
  for (let i = 0; i < levels; i++) schema = { type: 'object', properties: { in: schema }, required: ['in'] }
  return schema
}

test('values meet random schemas', () => {
  for (let seed = 0; seed < 60; seed++) {
    const schema = randomSchema(seededRandom(seed, 77))
    const problemOf = validatorOf(schema)
    for (const value of valuesFor(schema, 2)) {
      expect(problemOf(value), `seed ${seed}: ${JSON.stringify(schema)} ← ${JSON.stringify(value)}`).toBeUndefined()
    }
  }
})

test('the same seed gives the same value, another seed in time another', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a', 'b'] }
  const of = (seed: number) => JSON.stringify(valueForSchema([schema], seededRandom(seed), 'typical'))
  expect(of(1)).toBe(of(1))
  expect(new Set([1, 2, 3, 4, 5].map(of)).size).toBeGreaterThan(1)
})

test('a terse value leaves out what may be left out', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'array', items: {} } }, required: ['b'] }
  expect(valueForSchema([schema], seededRandom(1), 'minimal')).toEqual({ b: [] })
})

test('older dialects are understood', () => {
  expect(valuesFor({ type: 'INTEGER', minimum: 3, exclusiveMinimum: true, maximum: 4 })).toSatisfy((values: unknown[]) =>
    values.every((value) => value === 4),
  )
  expect(valuesFor({ type: 'array', items: [{ const: 1 }, { const: 2 }], additionalItems: false, minItems: 2 })).toContainEqual([
    1, 2,
  ])
})

test('schemas that nothing meets give an empty object', () => {
  for (const schema of [
    false,
    { type: 'integer', minimum: 2, maximum: 1 },
    { type: 'object', properties: { self: { $ref: '#' } }, required: ['self'] },
    { enum: [] },
    { allOf: [{ type: 'string' }, { type: 'integer' }] },
    { type: 'array', items: { enum: [1] }, uniqueItems: true, minItems: 2 },
  ]) {
    expect(valueForSchema([schema], seededRandom(1), 'typical'), JSON.stringify(schema)).toEqual({})
  }
})

describe('a hostile schema comes to an end', () => {
  const branching = { oneOf: [{ $ref: '#' }, { $ref: '#' }, { $ref: '#' }] }
  const wide = {
    type: 'array',
    minItems: 50,
    items: { type: 'object', properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`p${i}`, {}])) },
  }
  let deep: unknown = {}
  for (let i = 0; i < 5_000; i++) deep = { anyOf: [deep] }
  let deepAll: unknown = { type: 'string' }
  for (let i = 0; i < 50_000; i++) deepAll = { allOf: [deepAll] }

  test.each<[string, unknown]>([
    ['that asks for a billion items', { type: 'array', items: { type: 'string' }, minItems: 1e9 }],
    ['that asks for a billion characters', { type: 'string', minLength: 1e9 }],
    ['that asks for a billion properties', { type: 'object', minProperties: 1e9 }],
    ['that asks to contain a billion', { contains: {}, minContains: 1e9 }],
    ['that branches into itself', branching],
    [
      'that nests itself twice at every level',
      { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' } }, required: ['a', 'b'] },
    ],
    ['that refers in a circle', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    ['with a catastrophic pattern', { type: 'string', pattern: '^(((a+)+)+)+$', minLength: 40, not: { pattern: '^(a+)+b$' } }],
    ['with an endless pattern', { type: 'string', pattern: '((a{1000}){1000}){1000}' }],
    ['with an endless empty pattern', { type: 'string', pattern: '((){100000}){100000}' }],
    ['with brackets without end', { type: 'string', pattern: '('.repeat(1_900) }],
    ['of many properties, many times', wide],
    ['of choices nested without end', deep],
    ['of parts nested without end', deepAll],
    [
      'of nonsense',
      { type: 7, properties: [], required: 'a', items: null, enum: {}, allOf: {}, anyOf: 3, minItems: 'x', pattern: 5, $ref: 9 },
    ],
  ])('%s', (_, schema) => {
    // One that is not held back does not come to an end within the test's time.
    for (const size of ['typical', 'minimal'] as const) JSON.stringify(valueForSchema([schema], seededRandom(1), size))
  })
})
