import { expect, test } from 'vitest'
import { breakDownSession, type TimeSplit } from './critical-path.ts'
import { randomSessions } from './random-run.fixture.ts'
import { requestRecord, sessionRecord, unsentRecord } from './run-record.fixture.ts'
import { workflowLatencyMs } from './session-metrics.ts'

function sumOf({ prefillMs, decodeMs, waitMs, lagMs }: TimeSplit): number {
  return prefillMs + decodeMs + waitMs + lagMs
}

// plan ──┬─> search a ──┐
//        └─> search b ──┴─> answer
const plan = requestRecord({ call: 'plan', sentMs: 5, firstOutputMs: 105, lastOutputMs: 190, endMs: 200 })
const searchA = requestRecord({
  call: 'a',
  after: ['plan'],
  readyMs: 200,
  waitMs: 50,
  sentMs: 252,
  firstOutputMs: 300,
  endMs: 400,
})
const searchB = requestRecord({
  call: 'b',
  after: ['plan'],
  readyMs: 200,
  waitMs: 80,
  sentMs: 284,
  firstOutputMs: 500,
  endMs: 900,
})
const answer = requestRecord({
  call: 'd',
  after: ['a', 'b'],
  readyMs: 900,
  waitMs: 0,
  sentMs: 901,
  firstOutputMs: 1_000,
  endMs: 1_500,
})
const fanOut = [plan, searchA, searchB, answer]

test('follows the branch that ended last, and splits each step', () => {
  const breakdown = breakDownSession(sessionRecord({ startMs: 5, endMs: 1_500 }), fanOut)
  expect(
    breakdown.path.map(({ call, lagMs, waitMs, prefillMs, decodeMs }) => [call, lagMs, waitMs, prefillMs, decodeMs]),
  ).toEqual([
    ['plan', 0, 0, 100, 95],
    ['b', 4, 80, 216, 400],
    ['d', 1, 0, 99, 500],
  ])
  expect(breakdown.latencyMs).toBe(1_495)
  expect(breakdown.split).toEqual({ lagMs: 5, waitMs: 80, prefillMs: 415, decodeMs: 995 })
})

test('does not depend on the order of the requests', () => {
  const session = sessionRecord({ startMs: 5, endMs: 1_500 })
  expect(breakDownSession(session, fanOut.toReversed())).toEqual(breakDownSession(session, fanOut))
})

test('a failed session ends with its first failure, whatever else was in flight', () => {
  const error = { label: 'idle_timeout', message: 'no bytes for 60s', call: 'a' }
  const requests = [
    plan,
    requestRecord({ ...searchA, state: 'failed', error, firstOutputMs: null, endMs: 400 }),
    searchB,
    unsentRecord({ call: 'd', after: ['a', 'b'] }),
  ]
  const breakdown = breakDownSession(sessionRecord({ state: 'failed', startMs: 5, endMs: 900, error }), requests)
  expect(breakdown.path.map(({ call, state }) => [call, state])).toEqual([
    ['plan', 'succeeded'],
    ['a', 'failed'],
  ])
  expect(breakdown.error).toEqual(error)
  expect(breakdown.latencyMs).toBe(395)
  expect(breakdown.split).toEqual({ lagMs: 2, waitMs: 50, prefillMs: 248, decodeMs: 95 })
})

test('a session cut off while it waited has waited until then', () => {
  const waiting = unsentRecord({ call: 'a', after: ['plan'], state: 'cut-off', readyMs: 200, waitMs: 5_000 })
  const breakdown = breakDownSession(sessionRecord({ state: 'cut-off', startMs: 5, endMs: 1_200 }), [plan, waiting])
  expect(breakdown.latencyMs).toBe(1_195)
  expect(breakdown.split).toEqual({ lagMs: 0, waitMs: 1_000, prefillMs: 100, decodeMs: 95 })
})

test('a session that could not connect has spent its time connecting', () => {
  const error = { label: 'connect_timeout', message: 'not connected within 10s', call: 'c1' }
  const request = unsentRecord({ state: 'failed', error, readyMs: 100, endMs: 10_100 })
  const breakdown = breakDownSession(sessionRecord({ state: 'failed', startMs: null, endMs: 10_100 }), [request])
  expect(breakdown.latencyMs).toBe(10_000)
  expect(breakdown.split).toEqual({ lagMs: 10_000, waitMs: 0, prefillMs: 0, decodeMs: 0 })
  expect(breakdown.error).toEqual(error)
})

test('a second root does not count what came before the session began', () => {
  const late = requestRecord({ call: 'late', readyMs: 0, sentMs: 30, firstOutputMs: 40, endMs: 500 })
  const breakdown = breakDownSession(sessionRecord({ startMs: 5, endMs: 500 }), [plan, late])
  expect(breakdown.split).toEqual({ lagMs: 25, waitMs: 0, prefillMs: 10, decodeMs: 460 })
})

test('a session of which no request is known has a latency and no path', () => {
  const breakdown = breakDownSession(sessionRecord({ startMs: 5, endMs: 500 }), [])
  expect(breakdown).toMatchObject({ latencyMs: 495, path: [], split: { prefillMs: 0, decodeMs: 0, waitMs: 0, lagMs: 0 } })
})

test('a session that sent nothing took no time', () => {
  const session = sessionRecord({ state: 'cut-off', startMs: null, endMs: 500 })
  expect(breakDownSession(session, [unsentRecord({ state: 'cut-off' })])).toMatchObject({ latencyMs: 0, path: [] })
})

test('survives records that claim a circle, themselves or strangers as predecessors', () => {
  const at = { readyMs: 10, sentMs: 10, firstOutputMs: 10, endMs: 10 }
  const requests = [
    requestRecord({ ...at, call: 'a', after: ['b', 'a', 'nobody'] }),
    requestRecord({ ...at, call: 'b', after: ['a'] }),
  ]
  const breakdown = breakDownSession(sessionRecord({ startMs: 10, endMs: 10 }), requests)
  expect(breakdown.path.map(({ call }) => call)).toEqual(['b', 'a'])
  expect(breakdown.latencyMs).toBe(0)
})

test('the steps add up to the latency, exactly, in every session', () => {
  const sessions = randomSessions(11, 300)
  const failed = sessions.filter(({ session }) => session.state === 'failed')
  expect(failed.length).toBeGreaterThan(20)
  for (const { session, requests } of sessions) {
    const breakdown = breakDownSession(session, requests)
    const { latencyMs, split, path } = breakdown
    expect([sumOf(split), path.reduce((sum, step) => sum + sumOf(step), 0)]).toEqual([latencyMs, latencyMs])
    if (session.state === 'succeeded') expect(latencyMs).toBe(workflowLatencyMs(session))
    const parts = path.flatMap((step) => [step.prefillMs, step.decodeMs, step.waitMs, step.lagMs])
    expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
    // The random client is never more than 20 ms late: any more would be another call's time, put in the wrong place.
    expect(Math.max(...path.map(({ lagMs }) => lagMs))).toBeLessThanOrEqual(20)
  }
})

test('each call of a path follows one that it waited for', () => {
  for (const { session, requests } of randomSessions(12, 100)) {
    const after = new Map(requests.map((request) => [request.call, request.after]))
    const { path } = breakDownSession(session, requests)
    expect(after.get(path[0]?.call ?? '')).toEqual([])
    for (let i = 1; i < path.length; i++) expect(after.get(path[i]?.call ?? '')).toContain(path[i - 1]?.call)
    if (session.state === 'failed') expect(path.at(-1)?.call).toBe(session.error?.call)
  }
})
