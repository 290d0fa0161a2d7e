import { describe, expect, test } from 'vitest'
import '../matchers.ts'
import { madeRun, messageOf } from '../run.fixture.ts'

// TTFT is 200 ms; TPOT is 79, 179, 279 and 379 ms.
const run = madeRun({ succeeded: [1_000, 2_000, 3_000, 4_000] })

test('holds when the share meets its floor, and not above', () => {
  expect(run).toHaveGoodput(0.5, { tpot: 179 })
  expect(run).not.toHaveGoodput(0.51, { tpot: 179 })
  expect(run).toHaveGoodput({ perSecond: 0.5 }, { tpot: 179 })
  expect(run).not.toHaveGoodput({ share: 0.5, perSecond: 0.51 }, { tpot: 179 })
})

test('counts sessions where the workflow is constrained', () => {
  expect(run).toHaveGoodput(0.75, { workflowLatency: '3s' })
  expect(run).not.toHaveGoodput(0.75, { workflowLatency: '3s', tpot: 200 })
  expect(run).toHaveGoodput(1, { ttft: 200 }, { per: 'session' })
})

test('says how each constraint was kept', () => {
  expect(messageOf(() => expect(run).toHaveGoodput(0.9, { ttft: '200ms', tpot: '300ms' }))).toMatchInlineSnapshot(`
    "expect(run).toHaveGoodput(0.9, { ttft: '200ms', tpot: '300ms' })

    Scenario: support agents
    Expected: goodput of requests ≥ 90%
    Received: goodput of requests 75%, 15 points short

    Measured over 4 sessions (4 succeeded) and 4 requests.
    3 of 4 requests met all: TTFT ≤ 200ms by 100%, TPOT ≤ 300ms by 75%.

    Slowest sessions
              latency  queue + prefill  decode  wait  client
      good-4       4s            200ms    3.8s   0ms     0ms
        longest: 3.8s decode of 'chat', call 1 of 1 on the critical path
      good-3       3s            200ms    2.8s   0ms     0ms
        longest: 2.8s decode of 'chat', call 1 of 1 on the critical path
      good-2       2s            200ms    1.8s   0ms     0ms
        longest: 1.8s decode of 'chat', call 1 of 1 on the critical path"
  `)
})

test('.not fails when the SLO holds', () => {
  expect(messageOf(() => expect(run).not.toHaveGoodput(0.5, { ttft: '200ms' }))).toMatchInlineSnapshot(`
    "expect(run).not.toHaveGoodput(0.5, { ttft: '200ms' })

    Scenario: support agents
    Expected: not goodput of requests ≥ 50%
    Received: goodput of requests 100%, 50 points to spare

    Measured over 4 sessions (4 succeeded) and 4 requests.
    4 of 4 requests met all: TTFT ≤ 200ms by 100%."
  `)
})

describe('failures', () => {
  test('meet no constraint', () => {
    const half = madeRun({ succeeded: [1_000, 1_000], failed: 2 })
    expect(half).toHaveGoodput(0.5, { ttft: 200 })
    expect(messageOf(() => expect(half).toHaveGoodput(0.9, { workflowLatency: '1s' }))).toMatchInlineSnapshot(`
      "expect(run).toHaveGoodput(0.9, { workflowLatency: '1s' })

      Scenario: support agents
      Expected: goodput of sessions ≥ 90%
      Received: goodput of sessions 50%, 40 points short

      Measured over 4 sessions (2 succeeded, 2 failed) and 4 requests.
      2 of 4 sessions met all: workflow latency ≤ 1s by 50%.

      Sessions that did not succeed
               latency  queue + prefill  decode  wait  client
        bad-1    410ms            410ms     0ms   0ms     0ms
          failed in 'chat', call 1 on the critical path: http_503
        bad-2    410ms            410ms     0ms   0ms     0ms
          failed in 'chat', call 1 on the critical path: http_503

      Errors
        http_503 × 2 in bad-1, bad-2
          the server is overloaded"
    `)
  })

  test('alone fail it, and prove nothing under `.not`', () => {
    const none = madeRun({ failed: 2 })
    expect(messageOf(() => expect(none).toHaveGoodput(0.1, { ttft: 200 }))).toContain('goodput of requests 0%')
    expect(messageOf(() => expect(none).not.toHaveGoodput(0.1, { ttft: 200 }))).toContain('not gradable: no request succeeded')
  })
})

test('a constraint on a metric that no response carried is no verdict', () => {
  const { requests } = run.record
  const unstreamed = madeRun({
    succeeded: [1_000, 2_000, 3_000, 4_000],
    differs: { requests: requests.map((request) => ({ ...request, outputChunks: 1 })) },
  })
  const reason = 'Received: not gradable: no successful response carried TPOT'
  expect(messageOf(() => expect(unstreamed).toHaveGoodput(0.5, { ttft: 200, tpot: 20 }))).toContain(reason)
  expect(messageOf(() => expect(unstreamed).not.toHaveGoodput(1, { ttft: 1, tpot: 20 }))).toContain(reason)
})

describe('the lag of the client', () => {
  const lagging = madeRun({
    differs: {
      sessions: run.record.sessions.map((session) => ({ ...session, endMs: session.endMs + 100 })),
      requests: run.record.requests.map((request) => ({
        ...request,
        sentMs: 100,
        firstOutputMs: 300,
        lastOutputMs: (request.lastOutputMs ?? 0) + 100,
        endMs: (request.endMs ?? 0) + 100,
      })),
    },
  })

  test('voids what holds only because the server was spared, and what is missed only because of it', () => {
    expect(lagging).toHaveGoodput(1, { ttft: 300 })
    expect(messageOf(() => expect(lagging).toHaveGoodput(1, { ttft: 250 }))).toContain('so spared the server')
    expect(lagging).not.toHaveGoodput(1, { workflowLatency: 3_900 })
    expect(messageOf(() => expect(lagging).toHaveGoodput(1, { workflowLatency: 4_000 }))).toContain(
      'would be met without the load',
    )
  })
})

test('works as an asymmetric matcher and with `expect.soft`', () => {
  expect({ run }).toEqual({ run: expect.toHaveGoodput(1, { ttft: 200 }) })
  expect({ run }).toEqual({ run: expect.not.toHaveGoodput(1, { ttft: 199 }) })
  expect.soft(run).toHaveGoodput(1, { ttft: 200 })
})

test.each<[unknown[], string]>([
  [[95, { ttft: 200 }], 'toHaveGoodput takes a rate above 0, up to 1, not 95. Did you mean 0.95?'],
  [['95%', { ttft: 200 }], "toHaveGoodput: a floor is '95%', expected `0.95` or `{ perSecond: 2 }`."],
  [[{}, { ttft: 200 }], 'there is no floor. Give at least one of share, perSecond'],
  [[{ perSecond: 0 }, { ttft: 200 }], '`perSecond` is 0, expected a number per second above 0.'],
  [[{ share: 2 }, { ttft: 200 }], '`share` takes a rate above 0, up to 1, not 2. Did you mean 0.02?'],
  [[0.9], 'a constraint is undefined'],
  [[0.9, {}], 'there is no constraint. Give at least one of ttft, tpot, ntpot, requestLatency, workflowLatency'],
  [[0.9, { tttf: 200 }], 'unknown constraint `tttf`. Did you mean `ttft`?'],
  [[0.9, { itl: 200 }], 'gaps between tokens are not kept per request. Constrain `tpot`'],
  [[0.9, { ttft: true }], '`ttft` is true, expected milliseconds'],
  [[0.9, { ttft: 'soon' }], 'toHaveGoodput: `ttft`: "soon" is not a duration.'],
  [[0.9, { ttft: 1 }, { per: 'token' }], "`per` is 'token', expected 'request' | 'session'."],
  [[0.9, { ttft: 1 }, { pre: 'session' }], 'unknown option `pre`. Did you mean `per`?'],
  [[0.9, { workflowLatency: 1 }, { per: 'request' }], '`workflowLatency` is of sessions'],
])('%j is refused', (args, message) => {
  expect(() => expect(run).toHaveGoodput(...(args as [number, { ttft: number }]))).toThrow(message)
})
