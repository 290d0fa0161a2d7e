import { expect, test } from 'vitest'
import { readTools } from './read-tools.ts'

const schemaOf = (parameters: unknown) =>
  readTools([{ functionDeclarations: [{ name: 'f', parameters }] }], () => {})[0]?.parameters

test('types become lower-case at every depth, and nothing else changes', () => {
  const schema = {
    type: 'OBJECT',
    properties: {
      // A property may be named like a keyword.
      type: { type: 'STRING', enum: ['OBJECT', 'ARRAY'] },
      list: { type: 'ARRAY', items: { anyOf: [{ type: 'NUMBER' }, { type: 'OBJECT', properties: { a: { type: 'BOOLEAN' } } }] } },
    },
    required: ['type'],
  }
  expect(schemaOf(schema)).toEqual({
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['OBJECT', 'ARRAY'] },
      list: { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'object', properties: { a: { type: 'boolean' } } }] } },
    },
    required: ['type'],
  })
})

test('a JSON Schema stays the object it is', () => {
  const schema = { type: 'object', properties: { const: { const: { type: 'OBJECT' } } } }
  expect(schemaOf(schema)).toBe(schema)
})

test('a schema nested without end is no harm', () => {
  let schema: Record<string, unknown> = { type: 'STRING' }
  for (let depth = 0; depth < 5_000; depth++) schema = { type: 'ARRAY', items: schema }
  expect(schemaOf(schema)).toMatchObject({ type: 'array', items: { type: 'array' } })
})

test('keys of a prototype are keys like any other', () => {
  const schema = JSON.parse('{"type":"OBJECT","properties":{"__proto__":{"type":"STRING"}}}')
  expect(JSON.stringify(schemaOf(schema))).toBe('{"type":"object","properties":{"__proto__":{"type":"string"}}}')
})
