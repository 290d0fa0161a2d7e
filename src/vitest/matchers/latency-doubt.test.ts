import { describe, expect, test } from 'vitest'
import type { RequestRecord, SessionRecord } from '../../metrics/index.ts'
import '../matchers.ts'
import { madeRun, messageOf } from '../run.fixture.ts'

const run = madeRun({ succeeded: [1_000, 1_000] })

/** As above, but each request left so much later than it was due, and so the session ends as much later. */
function laggingRun(lagMs: number) {
  return madeRun({
    differs: {
      sessions: run.record.sessions.map((session) => ({ ...session, startMs: 0, endMs: 1_000 + lagMs })),
      requests: run.record.requests.map((request) => ({
        ...request,
        sentMs: lagMs,
        firstOutputMs: 200 + lagMs,
        lastOutputMs: 990 + lagMs,
        endMs: 1_000 + lagMs,
      })),
    },
  })
}

describe('a lag of the client', () => {
  const late = laggingRun(300)

  test('is no reason where the SLO bears it', () => {
    expect(late).toHaveTimeToFirstToken({ max: 501 })
    expect(late).toHaveWorkflowLatency({ max: 1_300 })
    expect(late).not.toHaveWorkflowLatency({ max: 900 })
    expect(late).not.toHaveTimeToFirstToken({ max: 150 })
  })

  test('voids a verdict that fails because of it, and the message says so', () => {
    expect(() => expect(late).not.toHaveWorkflowLatency({ max: 1_100 })).toThrow('not gradable')
    expect(messageOf(() => expect(late).toHaveWorkflowLatency({ max: 1_100 }))).toMatchInlineSnapshot(`
      "expect(run).toHaveWorkflowLatency({ max: 1100 })

      Scenario: support agents
      Expected: workflow latency max ≤ 1.1s
      Received: not gradable: workflow latency max is 1.3s, 200ms over, but 300ms of
                it are the load client's own delay. Lower concurrentSessions, or give
                the client more CPU

      Measured over 2 sessions (2 succeeded) and 2 requests.

      Where the maximum goes
        queue + prefill 15%, decode 62%, wait 0%, client 23%
        'chat', call 1, is on the path of 2 of 2 sessions and takes 77% of the
          maximum

      Slowest sessions
                latency  queue + prefill  decode  wait  client
        good-1     1.3s            200ms   800ms   0ms   300ms
          longest: 800ms decode of 'chat', call 1 of 1 on the critical path
        good-2     1.3s            200ms   800ms   0ms   300ms
          longest: 800ms decode of 'chat', call 1 of 1 on the critical path"
    `)
  })

  test('voids a verdict that holds because the server was spared', () => {
    expect(messageOf(() => expect(late).toHaveTimeToFirstToken({ max: 400 }))).toContain(
      'not gradable: TTFT max is 200ms, 200ms to spare, but the load client',
    )
    expect(() => expect(late).toHaveTimePerOutputToken({ max: 80 })).toThrow('not gradable')
    expect(late).toHaveTimePerOutputToken({ max: 120 })
  })

  test('voids a throughput that the client held down', () => {
    expect(late).not.toHaveThroughput({ requestsPerSecond: 4 })
    expect(messageOf(() => expect(late).toHaveThroughput({ requestsPerSecond: 2.2 }))).toContain(
      'not gradable: the throughput of requests is 2/s, but 23.1% of the time',
    )
  })

  test('is noise where it is tiny', () => {
    expect(laggingRun(2)).toHaveTimeToFirstToken({ max: 201 })
    expect(laggingRun(2)).not.toHaveWorkflowLatency({ max: 1_001 })
  })

  test('does not take away what another limit decides', () => {
    expect(messageOf(() => expect(late).toHaveWorkflowLatency({ max: 1_100, mean: 500 }))).not.toContain('not gradable')
    expect(late).not.toHaveWorkflowLatency({ max: 1_100, mean: 500 })
  })
})

test('a busy event loop reads late: a limit that is missed by less says nothing of the server', () => {
  const busy = madeRun({ succeeded: [1_000], differs: { client: { eventLoopDelayMs: { p50: 5, p99: 80, max: 120 } } } })
  expect(messageOf(() => expect(busy).toHaveTimeToFirstToken({ max: 150 }))).toContain('not gradable')
  expect(busy).not.toHaveTimeToFirstToken({ p50: 150 })
})

describe('sessions that were cut off', () => {
  /** 20 sessions, of which the last were cut off after so long. */
  function cutRun(count: number, afterMs: number) {
    const whole = madeRun({ succeeded: Array.from({ length: 20 }, () => 1_000) })
    const isCut = (id: string) => Number(id.split('-')[1]) > 20 - count
    const cut = { state: 'cut-off', endMs: afterMs } as const
    return madeRun({
      differs: {
        sessions: whole.record.sessions.map((session): SessionRecord => (isCut(session.id) ? { ...session, ...cut } : session)),
        requests: whole.record.requests.map(
          (request): RequestRecord => (isCut(request.session) ? { ...request, ...cut, firstOutputMs: null } : request),
        ),
      },
    })
  }

  test('decide nothing when nobody let them run until the limit', () => {
    const run = cutRun(3, 1_500)
    expect(run).toHaveWorkflowLatency({ p50: '2s' })
    expect(() => expect(run).not.toHaveWorkflowLatency({ p95: '2s' })).toThrow('not gradable')
    expect(messageOf(() => expect(run).toHaveWorkflowLatency({ p95: '2s' }))).toMatchInlineSnapshot(`
      "expect(run).toHaveWorkflowLatency({ p95: '2s' })

      Scenario: support agents
      Expected: workflow latency p95 ≤ 2s
      Received: not gradable: 3 sessions were cut off before workflow latency could
                have exceeded 2s, and p95 hangs on that. Give the stage a longer
                timeout

      Measured over 20 sessions (17 succeeded, 3 cut off) and 20 requests.
      3 of 20 sessions did not succeed and rank as infinitely slow. The successful
      alone: workflow latency p95 1s.

      Sessions that did not succeed
                 latency  queue + prefill  decode  wait  client
        good-18     1.5s             1.5s     0ms   0ms     0ms
          cut off in 'chat', call 1 on the critical path
        good-19     1.5s             1.5s     0ms   0ms     0ms
          cut off in 'chat', call 1 on the critical path
        good-20     1.5s             1.5s     0ms   0ms     0ms
          cut off in 'chat', call 1 on the critical path

      Errors
        cut_off × 3 in good-18, good-19, good-20
          The session had not ended when its stage did."
    `)
    expect(messageOf(() => expect(run).toHaveTimeToFirstToken({ p95: '2s' }))).toContain('3 requests were cut off before TTFT')
  })

  test('have broken a limit that they outran', () => {
    expect(cutRun(3, 5_000)).not.toHaveWorkflowLatency({ p95: '2s' })
    expect(cutRun(3, 5_000)).not.toHaveRequestLatency({ p95: '2s' })
  })

  test('do not excuse what fails without them', () => {
    expect(cutRun(3, 500)).not.toHaveWorkflowLatency({ p50: '900ms' })
  })

  test('count in the mean as their least', () => {
    expect(() => expect(cutRun(3, 500)).toHaveWorkflowLatency({ mean: 900 })).toThrow('not gradable')
    expect(cutRun(3, 500)).not.toHaveWorkflowLatency({ mean: 800 })
  })
})
