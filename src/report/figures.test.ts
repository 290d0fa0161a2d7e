import { expect, test } from 'vitest'
import { formatBeside, formatCount, formatFigure, formatPerSecond, formatShare } from './figures.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [1_234_567, '1,234,567'],
  [1_234.5, '1,235'],
])('%d is counted as %s', (count, text) => {
  expect(formatCount(count)).toBe(text)
})

test.each([
  [0, '0%'],
  [1, '100%'],
  [0.5, '50%'],
  [0.8749, '87.5%'],
  [0.9996, '99.96%'],
  [0.99999, '99.999%'],
  [0.0004, '0.04%'],
  [0.00000001, '<0.0001%'],
  [0.99999999, '>99.9999%'],
])('a share of %d is %s: nothing is rounded to all or none', (share, text) => {
  expect(formatShare(share)).toBe(text)
})

test.each([
  [0, '0'],
  [0.012345, '0.0123'],
  [9.876, '9.88'],
  [912.4, '912'],
  [12_345.6, '12,346'],
  [Number.POSITIVE_INFINITY, '∞'],
  [Number.NaN, '–'],
])('%d a second is %s', (rate, text) => {
  expect(formatPerSecond(rate)).toBe(text)
})

test.each([
  [null, 'ms', '∞'],
  [Number.POSITIVE_INFINITY, 'ms', '∞'],
  [45_000, 'ms', '45s'],
  [0.99, 'rate', '99%'],
  [900, '/s', '900/s'],
] as const)('%d in %s is %s', (value, unit, text) => {
  expect(formatFigure(value, unit)).toBe(text)
})

test.each([
  [52_300, 45_000, 'ms', '52.3s'],
  [45_000, 45_000, 'ms', '45s'],
  [45_040, 45_000, 'ms', '45040ms'],
  [45_000.25, 45_000, 'ms', '45000.3ms'],
  [0.9899999, 0.99, 'rate', '98.99999%'],
  [899.8, 900, '/s', '899.8/s'],
  [null, 45_000, 'ms', '∞'],
] as const)('%d beside a limit of %d %s is told apart from it: %s', (value, limit, unit, text) => {
  expect(formatBeside(value, limit, unit)).toBe(text)
})
