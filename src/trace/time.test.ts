import { expect, test } from 'vitest'
import { fromAnyTime, fromIso, fromNanoseconds } from './time.ts'

const NOON = Date.UTC(2026, 1, 25, 12, 0, 0)

test.each([
  ['2026-02-25T12:00:00Z', 0],
  ['2026-02-25T12:00:00', 0],
  ['2026-02-25 12:00:00', 0],
  ['2026-02-25T12:00', 0],
  ['2026-02-25T12:00:00.5', 500],
  ['2026-02-25T12:00:00.123456', 123.456],
  ['2026-02-25T12:00:00.123456789Z', 123.456789],
  ['2026-02-25T12:00:00.000000+00:00', 0],
  ['2026-02-25T14:00:00+02:00', 0],
  ['2026-02-25T06:30:00.25-0530', 250],
])('%s is noon and %d ms', (text, ms) => {
  expect(fromIso(text) - NOON).toBeCloseTo(ms, 3)
})

test.each(['', 'soon', '2026-13-01T00:00:00Z', '2026-02-45T00:00:00Z', '2026-02-25T12:61:00Z', '2026-02-25'])(
  '%j is no time',
  (text) => {
    expect(fromIso(text)).toBeNaN()
  },
)

test('nanoseconds beyond 2^53 keep their fractions of a millisecond', () => {
  expect(fromNanoseconds('1795977405937961056')).toBeCloseTo(1_795_977_405_937.961, 3)
  const [start, end] = [fromNanoseconds('1795977405850000001'), fromNanoseconds('1795977405850500001')]
  expect(end - start).toBeCloseTo(0.5, 3)
})

test.each(['', '0', '-5', '1e18', 'now', 0, -1, Number.NaN, null, undefined, {}])('%j is no number of nanoseconds', (value) => {
  expect(fromNanoseconds(value)).toBeNaN()
})

test.each([
  ['seconds', NOON / 1e3],
  ['milliseconds', NOON],
  ['microseconds', NOON * 1e3],
  ['nanoseconds', NOON * 1e6],
  ['nanoseconds as text', `${NOON}000000`],
  ['milliseconds as text', `${NOON}`],
  ['ISO', '2026-02-25T12:00:00Z'],
])('a time in %s is told by its size', (_, value) => {
  expect(fromAnyTime(value)).toBe(NOON)
})

test.each([null, true, '', [], Number.NaN, -1])('%j is no time', (value) => {
  expect(fromAnyTime(value)).toBeNaN()
})
