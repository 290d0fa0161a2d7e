import { expect, test } from 'vitest'
import {
  cachedShare,
  normalizedTimePerOutputTokenMs,
  requestLatencyMs,
  scheduleLagMs,
  timePerOutputTokenMs,
  timeToFirstTokenMs,
} from './request-metrics.ts'
import { requestRecord, sessionRecord, unsentRecord } from './run-record.fixture.ts'
import { workflowLatencyMs } from './session-metrics.ts'

const request = requestRecord({
  readyMs: 1_000,
  waitMs: 500,
  sentMs: 1_530,
  connectMs: 20,
  firstOutputMs: 1_730,
  lastOutputMs: 2_530,
  endMs: 2_555,
  outputTokens: 41,
  outputChunks: 9,
  inputTokens: 200,
  cachedInputTokens: 150,
})

test('each metric is what its definition says', () => {
  expect(requestLatencyMs(request)).toBe(1_025)
  expect(timeToFirstTokenMs(request)).toBe(200)
  expect(timePerOutputTokenMs(request)).toBe(20)
  expect(normalizedTimePerOutputTokenMs(request)).toBe(25)
  expect(scheduleLagMs(request)).toBe(10)
  expect(cachedShare(request)).toBe(0.75)
})

test('a request that was not sent has none of them', () => {
  const unsent = unsentRecord()
  const metrics = [
    requestLatencyMs,
    timeToFirstTokenMs,
    timePerOutputTokenMs,
    normalizedTimePerOutputTokenMs,
    scheduleLagMs,
    cachedShare,
  ]
  for (const metric of metrics) expect(metric(unsent)).toBeUndefined()
})

test.each([
  ['one token', { outputTokens: 1 }],
  ['no token', { outputTokens: 0 }],
  ['an unknown number of tokens', { outputTokens: null }],
  ['a single chunk, as without streaming', { outputChunks: 1, lastOutputMs: 1_730 }],
  ['no output', { outputChunks: 0, firstOutputMs: null, lastOutputMs: null }],
])('there is no TPOT for %s', (_, differs) => {
  expect(timePerOutputTokenMs({ ...request, ...differs })).toBeUndefined()
})

test('two tokens have a TPOT', () => {
  expect(timePerOutputTokenMs({ ...request, outputTokens: 2, outputChunks: 2 })).toBe(800)
})

test.each([null, 0])('there is no NTPOT for %s tokens', (outputTokens) => {
  expect(normalizedTimePerOutputTokenMs({ ...request, outputTokens })).toBeUndefined()
})

test('a response that names its prompt tokens but not the cached ones has no cached share', () => {
  expect(cachedShare({ ...request, cachedInputTokens: null })).toBeUndefined()
  expect(cachedShare({ ...request, inputTokens: 0 })).toBeUndefined()
  expect(cachedShare({ ...request, cachedInputTokens: 0 })).toBe(0)
})

test('a timer that fires a little early is no negative lag', () => {
  expect(scheduleLagMs({ ...request, sentMs: 1_499.5, connectMs: 0 })).toBe(0)
})

test('workflow latency runs from the first call sent to the last call ended', () => {
  expect(workflowLatencyMs(sessionRecord({ intendedMs: 100, startMs: 130, endMs: 1_130 }))).toBe(1_000)
  expect(workflowLatencyMs(sessionRecord({ startMs: null }))).toBeUndefined()
})
