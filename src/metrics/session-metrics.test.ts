import { expect, test } from 'vitest'
import { breakDownSession } from './critical-path.ts'
import { requestRecord, sessionRecord } from './run-record.fixture.ts'
import { workflowLatencyMs } from './session-metrics.ts'

test('workflow latency counts from the first call sent, of an arrival from the arrival', () => {
  const times = { intendedMs: 100, startMs: 250, endMs: 900 }
  expect(workflowLatencyMs(sessionRecord(times))).toBe(650)
  expect(workflowLatencyMs(sessionRecord({ ...times, openLoop: true }))).toBe(800)
  expect(workflowLatencyMs(sessionRecord({ ...times, openLoop: true, startMs: null }))).toBeUndefined()
})

test('the time an arrival waited for room is the first step of its critical path', () => {
  const session = sessionRecord({ intendedMs: 100, startMs: 250, endMs: 900, openLoop: true })
  const request = requestRecord({ session: session.id, readyMs: 250, sentMs: 250, firstOutputMs: 400, endMs: 900 })
  const { latencyMs, split } = breakDownSession(session, [request])
  expect(latencyMs).toBe(800)
  expect(split).toEqual({ lagMs: 150, waitMs: 0, prefillMs: 150, decodeMs: 500 })
})
