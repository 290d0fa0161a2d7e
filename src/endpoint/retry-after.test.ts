import { expect, test } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const date = 'Wed, 21 Oct 2026 07:28:00 GMT'

test.each<[name: string, headers: Record<string, string | string[]>, ms: number | undefined]>([
  ['seconds', { 'retry-after': '5' }, 5_000],
  ['fractions of a second', { 'retry-after': ' 0.5 ' }, 500],
  ['milliseconds win', { 'retry-after': '5', 'retry-after-ms': '1200' }, 1_200],
  ["a date, against the response's own", { 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date }, 30_000],
  ['a date that has passed', { 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT', date }, 0],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['a negative number', { 'retry-after': '-5', date }, undefined],
  ['two headers', { 'retry-after': ['1', '2'] }, undefined],
  ['none', {}, undefined],
])('%s', (_name, headers, ms) => {
  expect(readRetryAfter(headers)).toBe(ms)
})
