import { expect, test } from 'vitest'
import { formatDuration, parseDuration } from './duration.ts'

test.each([
  [0, 0],
  [12.5, 12.5],
  ['250ms', 250],
  ['45s', 45_000],
  [' 1.5 m ', 90_000],
  ['1h', 3_600_000],
])('reads %j as %d ms', (value, expected) => {
  expect(parseDuration(value, 'x')).toBe(expected)
})

test.each([['45 parsecs'], [''], ['abc'], ['12'], ['-5s'], ['1.2.3s'], [-1], [Number.NaN], [Number.POSITIVE_INFINITY]])(
  'refuses %j, naming the option and the way out',
  (value) => {
    expect(() => parseDuration(value, 'stages[0].duration')).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        message: expect.stringMatching(/^stages\[0\]\.duration: .* is not a duration\. Expected milliseconds .* '45s'/),
      }),
    )
  },
)

test.each([
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [Number.NaN, 'NaN'],
  ['45 parsecs', '"45 parsecs"'],
])('shows %s as it was written', (value, shown) => {
  expect(() => parseDuration(value, 'maxWait')).toThrow(`maxWait: ${shown} is not a duration.`)
})

test.each([
  [0.0421, '0.042ms'],
  [12.34, '12.3ms'],
  [999.9, '1s'],
  [1_234, '1.23s'],
  [59_990, '1m'],
  [60_000, '1m'],
  [61_400, '1m 1s'],
  [119_800, '2m'],
  [Number.POSITIVE_INFINITY, '∞'],
  [Number.NaN, '–'],
])('writes %d ms as %s', (value, expected) => {
  expect(formatDuration(value)).toBe(expected)
})
