import { expect, test } from 'vitest'
import { boundsAround, parseTolerance } from './tolerance.ts'

test.each<[string, number, object]>([
  ['+10%', 200, { high: 220 }],
  ['-10%', 200, { low: 180 }],
  ['±10%', 200, { low: 180, high: 220 }],
  ['+-10%', 200, { low: 180, high: 220 }],
  ['+/-10%', 200, { low: 180, high: 220 }],
  ['+50', 200, { high: 250 }],
  ['±0.5', 2, { low: 1.5, high: 2.5 }],
  ['-0%', 1, { low: 1 }],
])('%s of %d', (text, value, bounds) => {
  expect(boundsAround(value, parseTolerance(text) ?? {})).toEqual(bounds)
})

test.each(['', '10%', '+', '+10 %', '+-', '~10%', '+1e3', '+10ms'])('%j is no tolerance', (text) => {
  expect(parseTolerance(text)).toBeUndefined()
})
