import { expect, test } from 'vitest'
import type { RunRecord } from './records.ts'
import { Run } from './run.ts'
import { requestRecord, runRecord, sessionRecord, stageRecord, unsentRecord } from './run-record.fixture.ts'

const sessions = [sessionRecord()]
const requests = [requestRecord()]

function reasonOf(differs: Partial<RunRecord>): string | undefined {
  const { gradable } = new Run(runRecord({ sessions, requests, ...differs }))
  return gradable.ok ? undefined : gradable.reason
}

function client(p99: number) {
  return { eventLoopDelayMs: { p50: 10, p99, max: p99 } }
}

test('a run with sessions and requests is gradable', () => {
  expect(reasonOf({})).toBeUndefined()
})

test('a run in which everything failed is gradable: it fails its SLOs', () => {
  expect(
    reasonOf({ sessions: [sessionRecord({ state: 'failed' })], requests: [requestRecord({ state: 'failed' })] }),
  ).toBeUndefined()
})

test.each<[string, Partial<RunRecord>]>([
  ['aborted', { aborted: 'the test timed out' }],
  ['empty', { sessions: [], requests: [] }],
  ['only warm-up', { stages: [stageRecord({ warmup: true })] }],
  ['unsent', { requests: [unsentRecord(), unsentRecord({ call: 'c2', state: 'failed', readyMs: 0 })] }],
  ['client late', { requests: [requestRecord({ waitMs: 0, readyMs: 0, sentMs: 400, firstOutputMs: 500, endMs: 900 })] }],
  ['event loop late', { client: client(2_000) }],
])('%s', (name, differs) => {
  expect(reasonOf(differs)).toBe(
    {
      aborted: 'the run was aborted: the test timed out',
      empty: 'no session ran',
      'only warm-up': 'no session ran',
      unsent: 'no request was sent',
      'client late':
        'the load client could not keep up: half of its requests left 400ms late or later. Lower concurrentSessions, or give the client more CPU',
      'event loop late':
        'the load client could not keep up: its event loop was 2s late (p99). Lower concurrentSessions, or give the client more CPU',
    }[name],
  )
})

test('a hiccup, or a lag that is small beside the latency, does not void a run', () => {
  const slow = { firstOutputMs: 20_000, endMs: 90_000 }
  expect(reasonOf({ client: client(400) })).toBeUndefined()
  expect(reasonOf({ client: client(2_000), requests: [requestRecord(slow)] })).toBeUndefined()
  expect(reasonOf({ requests: [requestRecord({ ...slow, sentMs: 400 })] })).toBeUndefined()
})

test('connecting is the server side of the wait, not the client keeping up', () => {
  const connecting = requestRecord({ readyMs: 0, sentMs: 400, connectMs: 395, firstOutputMs: 500, endMs: 900 })
  expect(reasonOf({ requests: [connecting] })).toBeUndefined()
})

test('a record without its requests can still be judged by its sessions', () => {
  expect(reasonOf({ requests: [] })).toBeUndefined()
})
