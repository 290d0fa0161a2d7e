import { expect, test } from 'vitest'
import { createDigest } from './digest.ts'
import { addInterTokenGaps, interTokenLatency } from './inter-token-latency.ts'
import { digestOf, requestRecord, unsentRecord } from './run-record.fixture.ts'

const { POSITIVE_INFINITY } = Number

test.each([
  [[], 0],
  [[100], 0],
  [[100, 120], 1],
  [[100, 120, 120, 150], 3],
])('chunks at %j have %d gaps', (times, gaps) => {
  const digest = createDigest()
  addInterTokenGaps(digest, times)
  expect(digest.toRecord().count).toBe(gaps)
})

test('gaps are the times between successive chunks; tokens of one chunk share its time', () => {
  const digest = createDigest()
  addInterTokenGaps(digest, [100, 120, 120, 150])
  expect(digest.toRecord()).toMatchObject({
    min: 0,
    max: 30,
    centroids: [
      [0, 1],
      [20, 1],
      [30, 1],
    ],
  })
})

test('stages are taken together', () => {
  const latency = interTokenLatency([digestOf([10, 20]), digestOf([]), digestOf([30])], [requestRecord()])
  expect([latency.count, latency.failures, latency.quantile(0.5)]).toEqual([3, 0, 20])
})

test.each(['failed', 'cut-off', 'cancelled'] as const)('a %s request weighs the gaps it should have had', (state) => {
  const requests = [requestRecord(), unsentRecord({ state, plannedOutputTokens: 6 })]
  const latency = interTokenLatency([digestOf([10, 20, 30, 40, 50])], requests)
  expect([latency.count, latency.failures]).toEqual([10, 5])
  expect(latency.quantile(0.4)).toBeCloseTo(46)
  expect(latency.quantile(0.6)).toBe(POSITIVE_INFINITY)
  expect(latency.quantile(0.5, 'successful')).toBe(30)
})

test('without a plan it weighs as much as the mean success', () => {
  const requests = [requestRecord(), requestRecord(), unsentRecord({ plannedOutputTokens: null })]
  expect(interTokenLatency([digestOf([1, 2, 3, 4, 5, 6])], requests).failures).toBe(3)
})

test.each([
  ['nothing succeeded', [unsentRecord({ plannedOutputTokens: null })], []],
  ['one token was planned', [requestRecord(), unsentRecord({ plannedOutputTokens: 1 })], [5, 6]],
  ['no token was planned', [requestRecord(), unsentRecord({ plannedOutputTokens: 0 })], [5, 6]],
  ['successes had no gap', [requestRecord(), unsentRecord({ plannedOutputTokens: null })], []],
])('it weighs at least one gap when %s', (_, requests, gaps) => {
  const latency = interTokenLatency([digestOf(gaps)], requests)
  expect(latency.failures).toBe(1)
  expect(latency.max()).toBe(POSITIVE_INFINITY)
})
