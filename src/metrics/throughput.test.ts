import { expect, test } from 'vitest'
import { requestRecord, sessionRecord, unsentRecord } from './run-record.fixture.ts'
import { throughput } from './throughput.ts'

test('counts successful work per second from the first request sent to the last ended', () => {
  const requests = [
    requestRecord({ sentMs: 500, endMs: 1_500, inputTokens: 300, outputTokens: 40 }),
    requestRecord({ sentMs: 1_000, endMs: 2_500, inputTokens: 100, outputTokens: 20 }),
  ]
  expect(throughput([sessionRecord()], requests)).toEqual({
    requestsPerSecond: 1,
    inputTokensPerSecond: 200,
    outputTokensPerSecond: 30,
    totalTokensPerSecond: 230,
    sessionsPerSecond: 0.5,
    tokensEstimated: false,
  })
})

test('failed work adds no amount, but its time', () => {
  const requests = [
    requestRecord({ sentMs: 0, endMs: 1_000, inputTokens: 100, outputTokens: 50 }),
    requestRecord({ sentMs: 0, endMs: 2_000, inputTokens: 100, outputTokens: 50, state: 'failed' }),
    unsentRecord(),
  ]
  expect(throughput([sessionRecord({ state: 'failed' })], requests)).toMatchObject({
    requestsPerSecond: 0.5,
    outputTokensPerSecond: 25,
    sessionsPerSecond: 0,
  })
})

test('the time between two stages is not part of either', () => {
  const requests = [
    requestRecord({ stage: 1, sentMs: 0, endMs: 1_000, outputTokens: 30 }),
    requestRecord({ stage: 3, sentMs: 60_000, endMs: 62_000, outputTokens: 60 }),
  ]
  expect(throughput([], requests).outputTokensPerSecond).toBe(30)
})

test('tells a count that no response carried from a count of nothing', () => {
  const unknown = requestRecord({ sentMs: 0, endMs: 1_000, inputTokens: null, outputTokens: null })
  expect(throughput([], [unknown])).toMatchObject({
    requestsPerSecond: 1,
    outputTokensPerSecond: undefined,
    totalTokensPerSecond: undefined,
  })
  expect(throughput([], [{ ...unknown, state: 'failed' }])).toMatchObject({ requestsPerSecond: 0, outputTokensPerSecond: 0 })
})

test('marks estimates', () => {
  expect(throughput([], [requestRecord(), requestRecord({ tokensEstimated: true })]).tokensEstimated).toBe(true)
  expect(throughput([], [requestRecord(), requestRecord({ outputTokens: null })]).tokensEstimated).toBe(true)
  expect(throughput([], [requestRecord(), requestRecord({ tokensEstimated: true, state: 'failed' })]).tokensEstimated).toBe(false)
})

test.each([
  ['nothing ran', []],
  ['nothing was sent', [unsentRecord()]],
  ['no time passed', [requestRecord({ sentMs: 5, endMs: 5 })]],
])('has no figure when %s', (_, requests) => {
  const { tokensEstimated, ...figures } = throughput([], requests)
  expect(Object.values(figures)).toEqual(Array(5).fill(undefined))
  expect(tokensEstimated).toBe(false)
})
