import { expect, test } from 'vitest'
import { findJsonFault } from './json-fault.ts'

const SAMPLE = '{"a": [1, -2.5e+3, true, null, "x\\u00e9\\n\\"y"], "b": {"c": []}, "d": {}}'

test('every beginning of a JSON text is seen as cut off', () => {
  for (let length = 0; length < SAMPLE.length; length++) {
    expect(findJsonFault(SAMPLE.slice(0, length)), SAMPLE.slice(0, length)).toEqual({ offset: length, cutOff: true })
  }
})

test.each([
  ['<html></html>', 0],
  ['{"a": 1} x', 9],
  ['{"a": 1,}', 8],
  ['{a: 1}', 1],
  ['{"a" 1}', 5],
  ['[1 2]', 3],
  ['[1,]', 3],
  ['[1}', 2],
  ['{"a": nope}', 6],
  ['["a\tb"]', 3],
  ['["a\\xb"]', 3],
  ['["a\\u12g4"]', 3],
  ['[01]', 2],
])('a fault inside %j is at %i', (text, offset) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(findJsonFault(text)).toEqual({ offset, cutOff: false })
})

test('depth and length cost no stack', () => {
  expect(findJsonFault('['.repeat(100_000))).toEqual({ offset: 100_000, cutOff: true })
  expect(findJsonFault(`["${'a'.repeat(1_000_000)}`).cutOff).toBe(true)
  expect(findJsonFault(`["${'\\n'.repeat(100_000)}`).cutOff).toBe(true)
})
