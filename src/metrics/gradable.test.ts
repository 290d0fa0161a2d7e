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

function client(p50: number, p99 = p50) {
  return { eventLoopDelayMs: { p50, p99, max: p99 } }
}

/** Sessions that start at these times, though one was to start every 100 ms. */
function arriving(...startsMs: number[]): Partial<RunRecord> {
  return {
    stages: [stageRecord({ sessionRate: 10 })],
    sessions: startsMs.map((startMs, index) =>
      sessionRecord({ id: `s${index}`, intendedMs: index * 100, startMs, endMs: startMs + 410 }),
    ),
  }
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
  [
    'client exhausted',
    {
      requests: [
        ...requests,
        unsentRecord({ call: 'c2', state: 'failed', error: { label: 'client_exhausted', message: 'EMFILE' } }),
      ],
    },
  ],
  ['client late', { requests: [requestRecord({ sentMs: 2_000, firstOutputMs: 2_100, endMs: 2_500 })] }],
  ['event loop late', { client: client(2_000) }],
  ['cut off', { stages: [stageRecord({ neverStarted: 9 })] }],
  ['slow starts', arriving(0, 100, 900, 4_000)],
])('%s', (name, differs) => {
  expect(reasonOf(differs)).toBe(
    {
      aborted: 'the run was aborted: the test timed out',
      empty: 'no session ran',
      'only warm-up': 'no session ran',
      unsent: 'no request was sent',
      'client exhausted':
        'the load client had no descriptor or port left for 1 of its 2 requests. Lower concurrentSessions, or raise the limit (`ulimit -n`)',
      'client late':
        'the load client could not keep up: its requests left 2s late on average. Lower concurrentSessions, or give the client more CPU',
      'event loop late':
        'the load client could not keep up: its event loop was 2s late most of the time. Lower concurrentSessions, or give the client more CPU',
      'cut off':
        '9 of the 10 sessions asked for in stage 1 never started, because its timeout had passed. Give it a longer timeout, or fewer sessions',
      'slow starts':
        'stage 1 was to start 10 sessions a second and started 0.75. Raise its concurrentSessions, which hold back what arrives, or ask for a lower sessionRate',
    }[name],
  )
})

test('a short run on a machine that is busy with other things is gradable', () => {
  const hiccup = requestRecord({ sentMs: 700, firstOutputMs: 720, endMs: 760 })
  expect(reasonOf({ client: client(90, 900), requests: [hiccup, hiccup] })).toBeUndefined()
  expect(reasonOf(arriving(0, 800, 900, 1_200))).toBeUndefined()
})

test('the wait of arrivals for room is no delay of the client’s own', () => {
  const session = sessionRecord({ openLoop: true, intendedMs: 0, startMs: 5_000, endMs: 5_410 })
  const request = requestRecord({ readyMs: 5_000, sentMs: 5_000, firstOutputMs: 5_200, lastOutputMs: 5_400, endMs: 5_410 })
  const [breakdown] = new Run(runRecord({ sessions: [session], requests: [request] })).breakdowns
  expect(breakdown).toMatchObject({ latencyMs: 5_410, clientDelayMs: 0, split: { lagMs: 5_000 } })
})

test('a lag that is small beside the latency does not void a run', () => {
  const slow = requestRecord({ sentMs: 3_000, firstOutputMs: 20_000, endMs: 90_000 })
  expect(reasonOf({ requests: [slow] })).toBeUndefined()
})

test('where none of the sessions asked for started, that is the reason', () => {
  const stages = [stageRecord({ neverStarted: 3 })]
  expect(reasonOf({ stages, sessions: [], requests: [] })).toContain('3 of the 3 sessions asked for in stage 1 never started')
})

test('a stage that the figures are not of does not void them', () => {
  const warmup = stageRecord({ index: 1, warmup: true, neverStarted: 3 })
  const run = new Run(runRecord({ sessions, requests, stages: [stageRecord(), warmup] }))
  expect(run.gradable.ok).toBe(true)
  expect(run.stages[1]?.gradable.ok).toBe(false)
})

test('connecting is the server side of the wait, not the client keeping up', () => {
  const connecting = requestRecord({ readyMs: 0, sentMs: 400, connectMs: 395, firstOutputMs: 500, endMs: 900 })
  expect(reasonOf({ requests: [connecting] })).toBeUndefined()
})

test('a record without its requests can still be judged by its sessions', () => {
  expect(reasonOf({ requests: [] })).toBeUndefined()
})
