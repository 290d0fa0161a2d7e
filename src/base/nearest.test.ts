import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

test.each([
  ['concurentSessions', ['concurrentSessions', 'sessions', 'duration'], 'concurrentSessions'],
  ['TIMEOUT', ['timeout', 'target'], 'timeout'],
  ['banana', ['timeout', 'target'], undefined],
  ['x', [], undefined],
])('%s among %j is %s', (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected)
})
