import { expect, test } from 'vitest'
import { requestRecord, sessionRecord } from '../metrics/run-record.fixture.ts'
import { RunRecorder } from './run-recorder.ts'

test('the sink is told of each session as it ends, with its own requests', () => {
  const told: unknown[] = []
  const recorder = new RunRecorder((session, requests) => told.push(JSON.parse(JSON.stringify({ session, requests }))))
  const a = [requestRecord({ session: 'a', call: 'c1' }), requestRecord({ session: 'a', call: 'c2', agent: 'planner' })]
  const b = [requestRecord({ session: 'b', call: 'c1', inputTokens: 0.5 })]
  for (const record of [a[0], b[0], a[1]]) if (record !== undefined) recorder.requestEnded(record, [])
  for (const id of ['b', 'a', 'c']) recorder.sessionEnded(sessionRecord({ id }))
  expect(told).toEqual([
    { session: sessionRecord({ id: 'b' }), requests: b },
    { session: sessionRecord({ id: 'a' }), requests: a },
    { session: sessionRecord({ id: 'c' }), requests: [] },
  ])
})

test('keeps records as they were, and once what sessions have in common', () => {
  const recorder = new RunRecorder()
  const calls = () => ({ succeeded: 3, failed: 1, cancelled: 0, cutOff: 0 })
  const sessions = ['a', 'b', 'c'].map((id) => sessionRecord({ id, calls: id === 'c' ? { ...calls(), failed: 2 } : calls() }))
  for (const session of sessions) recorder.sessionEnded(session)
  expect(recorder.sessions).toEqual(sessions)
  expect(recorder.sessions[1]?.calls).toBe(recorder.sessions[0]?.calls)
  const requests = [requestRecord({ call: 'c1' }), requestRecord({ call: 'c2', state: 'failed' })]
  for (const request of requests) recorder.requestEnded(request, [])
  expect(recorder.requests).toEqual(requests)
})
