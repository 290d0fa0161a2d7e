import { expect, test } from 'vitest'
import { flattenAttributes } from './flatten-attributes.ts'

const flat = (nested: unknown) => Object.fromEntries(flattenAttributes(nested))

test('nested objects get dotted names, lists of objects positions', () => {
  expect(
    flat({ llm: { model_name: 'm', input_messages: [{ 'message.role': 'user' }, { message: { role: 'assistant' } }] } }),
  ).toEqual({
    'llm.model_name': 'm',
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.1.message.role': 'assistant',
  })
})

test('lists of plain values stay lists, and what has no value is left out', () => {
  expect(flat({ reasons: ['stop'], gone: null, none: [], nothing: {}, zero: 0 })).toEqual({ reasons: ['stop'], zero: 0 })
})

test('entries keep the order of the file', () => {
  expect(Object.keys(flat({ b: 1, a: { z: 1, y: 2 }, c: 3 }))).toEqual(['b', 'a.z', 'a.y', 'c'])
})

test('depth without end costs no stack', () => {
  let deep: unknown = 'bottom'
  for (let i = 0; i < 50_000; i++) deep = { a: deep }
  expect(() => flattenAttributes(deep)).not.toThrow()
})
