import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { compactRecord, requestsOf, restOf } from './compact-record.ts'
import { randomSessions, runOfSessions } from './random-run.fixture.ts'
import { RequestColumns } from './request-columns.ts'
import { Run } from './run.ts'

const plain = runOfSessions(randomSessions(3, 40))
const { requests, ...rest } = plain
const compact = compactRecord(rest, RequestColumns.of(requests))

test('reads as plain JSON', () => {
  expect(compact).toEqual(plain)
  expect({ ...compact }).toEqual(plain)
  expect(JSON.parse(JSON.stringify(compact))).toEqual(plain)
  expect(structuredClone(compact)).toEqual(plain)
  expect(inspect(compact)).toBe(inspect({ ...rest, requests }))
})

test('its requests are an array, the same one while someone looks at it', () => {
  expect(Array.isArray(compact.requests)).toBe(true)
  expect(compact.requests[0]).toEqual(requests[0])
  expect(compact.requests).toBe(compact.requests)
})

test('comes apart, as does a plain one', () => {
  expect(restOf(compact)).toEqual(rest)
  expect(restOf(plain)).toEqual(rest)
  expect(requestsOf(compact)).toHaveLength(requests.length)
  expect(requestsOf(plain)).toBe(plain.requests)
})

test('a part of the requests makes a record, too', () => {
  const ofStage = compactRecord(
    rest,
    requestsOf(compact).filter(({ stage }) => stage === 1),
  )
  expect(ofStage.requests).toEqual(requests.filter(({ stage }) => stage === 1))
  expect(compactRecord(rest, requests)).toEqual(plain)
})

test('a run has the same figures from either', () => {
  const figures = (run: Run) =>
    [run, ...run.stages, run.where({ label: /step [0-3]/ })].map((slice) => ({
      sessions: slice.sessions,
      requests: slice.requests,
      counts: slice.toJSON(),
      latencies: [
        slice.workflowLatency,
        slice.requestLatency,
        slice.timeToFirstToken,
        slice.timePerOutputToken,
        slice.normalizedTimePerOutputToken,
        slice.interTokenLatency,
        slice.scheduleLag,
      ].map((latency) => [latency.count, latency.failures, latency.quantile(0.5), latency.quantile(0.9), latency.mean()]),
      cachedShare: slice.cachedShare,
      fidelity: slice.fidelity,
      throughput: slice.throughput,
      goodput: [slice.goodput({ ttft: 400, tpot: 100 }), slice.goodput({ workflowLatency: 3_000, ttft: 700 })],
      errors: slice.errors,
      gradable: slice.gradable,
      breakdowns: slice.breakdowns,
      criticalPath: slice.criticalPath(0.9),
      worst: slice.worstSessions(3),
    }))
  expect(figures(new Run(compact))).toEqual(figures(new Run(plain)))
})
