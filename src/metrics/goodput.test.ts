import { expect, test } from 'vitest'
import { goodput } from './goodput.ts'
import { Run } from './run.ts'
import { requestRecord, runRecord, sessionRecord, unsentRecord } from './run-record.fixture.ts'

// Each request: TTFT 200 ms, TPOT 20 ms, 410 ms long, 11 tokens.
const quick = requestRecord({ session: 'a' })
const slowStart = requestRecord({ session: 'b', firstOutputMs: 300, lastOutputMs: 500, endMs: 510 })
const slowTokens = requestRecord({ session: 'a', call: 'c2', lastOutputMs: 1_200, endMs: 1_210 })
const a = sessionRecord({ id: 'a', endMs: 1_210 })
const b = sessionRecord({ id: 'b', endMs: 510 })

test('a request is good when it meets every constraint', () => {
  const found = goodput([a, b], [quick, slowStart, slowTokens], { ttft: 200, tpot: 20 })
  expect(found).toMatchObject({ of: 'requests', total: 3, good: 1, share: 1 / 3 })
  expect(found.attainment).toEqual([
    { constraint: 'ttft', limitMs: 200, share: 2 / 3, carried: true },
    { constraint: 'tpot', limitMs: 20, share: 2 / 3, carried: true },
  ])
  expect(found.perSecond).toBeCloseTo(1 / 1.21)
})

test('a session is good when it and each of its requests are', () => {
  const requests = [quick, slowStart, slowTokens]
  expect(goodput([a, b], requests, { workflowLatency: 1_000 })).toMatchObject({ of: 'sessions', total: 2, good: 1 })
  expect(goodput([a, b], requests, { workflowLatency: 5_000, tpot: 20 })).toMatchObject({ good: 1 })
  expect(goodput([a, b], requests, { workflowLatency: 5_000, ttft: 300, tpot: 200 })).toMatchObject({ good: 2 })
  expect(goodput([a, b], requests, { ttft: 200 }, 'sessions')).toMatchObject({ of: 'sessions', good: 1 })
})

test('what did not succeed meets nothing, however quick it was', () => {
  const failed = requestRecord({ session: 'f', state: 'failed', firstOutputMs: 1, endMs: 2 })
  const cancelled = unsentRecord({ session: 'f', call: 'c2' })
  const f = sessionRecord({ id: 'f', state: 'failed', endMs: 2 })
  expect(goodput([a, f], [quick, failed, cancelled], { ttft: 200 })).toMatchObject({ total: 3, good: 1 })
  expect(goodput([b, f], [slowStart, failed], { workflowLatency: 600 }).attainment[0]).toMatchObject({ share: 0.5 })
})

test('a response that by its nature carries no figure does not break the constraint on it', () => {
  const oneToken = requestRecord({ session: 'a', outputTokens: 1, outputChunks: 1 })
  expect(goodput([a], [quick, oneToken], { tpot: 20 })).toMatchObject({ good: 2 })
  expect(goodput([a], [oneToken], { tpot: 20 }).attainment[0]?.carried).toBe(false)
})

test('a run has it, too', () => {
  const run = new Run(runRecord({ sessions: [a, b], requests: [quick, slowStart, slowTokens] }))
  expect(run.goodput({ ttft: 200 })).toEqual(goodput([a, b], run.requests, { ttft: 200 }))
  expect(run.where({ session: 'b' }).goodput({ ttft: 200 }).share).toBe(0)
})

test('of nothing there is no share', () => {
  expect(goodput([], [], { ttft: 1 })).toMatchObject({ share: undefined, perSecond: undefined })
})
