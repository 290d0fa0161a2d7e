import { expect, test } from 'vitest'
import { openFields } from './request-fields.ts'

test.each<Record<string, unknown>>([
  {},
  { model: 'm' },
  { model: 'a "b"\n\u2028\ud800', 'na"me': 1 },
  { stream: true, max_tokens: 16, temperature: 0.25, seed: -0, big: 1e300, small: 5e-324 },
  { temperature: Number.NaN, top_p: Number.POSITIVE_INFINITY },
  { a: undefined, b: null, c: [1, 'x', null], d: { e: { f: [] } }, g: undefined },
  { a: undefined },
])('fields are written as JSON.stringify writes them: %#', (fields) => {
  expect(`${openFields(fields)}}`).toBe(JSON.stringify(fields))
  expect(`${openFields(fields)}}`).toBe(JSON.stringify(fields))
})

test('more texts than are remembered are written all the same', () => {
  for (let index = 0; index < 300; index++) expect(openFields({ model: `m${index}` })).toBe(`{"model":"m${index}"`)
})
