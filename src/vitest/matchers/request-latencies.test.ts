import { describe, expect, test } from 'vitest'
import { requestRecord } from '../../metrics/run-record.fixture.ts'
import '../matchers.ts'
import { madeRun, messageOf } from '../run.fixture.ts'

// One request takes one second: first output at 200 ms, the last at 990 ms, 11 tokens.
const run = madeRun({ succeeded: [1_000], gaps: [20, 40] })

const matchers = {
  toHaveRequestLatency: { exactly: 1_000, label: 'request latency' },
  toHaveTimeToFirstToken: { exactly: 200, label: 'TTFT' },
  toHaveTimePerOutputToken: { exactly: 79, label: 'TPOT' },
  toHaveInterTokenLatency: { exactly: 40, label: 'ITL' },
} as const

describe.each(Object.entries(matchers))('%s', (name, { exactly, label }) => {
  const matcher = name as keyof typeof matchers

  test('holds at its ceiling and not below', () => {
    expect(run)[matcher]({ max: exactly })
    expect(run).not[matcher]({ max: exactly - 0.5 })
  })

  test('says what it measured', () => {
    const message = messageOf(() => expect(run)[matcher]({ max: 1 }))
    expect(message).toContain(`expect(run).${name}({ max: 1 })`)
    expect(message).toContain(`Expected: ${label} max ≤ 1ms`)
    expect(message).toContain(`Received: ${label} max ${exactly === 1_000 ? '1s' : `${exactly}ms`}`)
  })

  test('counts failures as infinitely slow unless they are left out', () => {
    const half = madeRun({ succeeded: [1_000], failed: 1, gaps: [20, 40] })
    expect(half).not[matcher]({ max: '1h' })
    expect(half)[matcher]({ max: '1h' }, { over: 'successful' })
  })

  test('fails where no response carried it, under `.not` too', () => {
    const none = madeRun({
      succeeded: [1_000],
      differs: {
        requests: run.record.requests.map((request) => ({ ...request, endMs: null, firstOutputMs: null, outputTokens: 0 })),
      },
    })
    const reason = `Received: not gradable: no successful response carried ${label}`
    expect(messageOf(() => expect(none)[matcher]({ max: '1h' }))).toContain(reason)
    expect(messageOf(() => expect(none).not[matcher]({ max: 1 }))).toContain(reason)
  })

  test('refuses what is no limit, and names itself', () => {
    expect(() => expect(run)[matcher]({ p95: '45 parsecs' })).toThrow(`${name}: \`p95\`: "45 parsecs" is not a duration.`)
  })
})

describe('each message, whole', () => {
  const several = madeRun({ succeeded: [1_000, 2_000], failed: 1, gaps: [20, 40, 900] })

  test('toHaveTimeToFirstToken', () => {
    expect(messageOf(() => expect(several).toHaveTimeToFirstToken({ p50: '150ms' }))).toMatchInlineSnapshot(`
      "expect(run).toHaveTimeToFirstToken({ p50: '150ms' })

      Scenario: support agents
      Expected: TTFT p50 ≤ 150ms
      Received: TTFT p50 200ms, 33% over

      Measured over 3 sessions (2 succeeded, 1 failed) and 3 requests.
      1 of 3 requests did not succeed and ranks as infinitely slow. The successful
      alone: TTFT p50 200ms.

      Slowest sessions
                latency  queue + prefill  decode  wait  client
        good-2       2s            200ms    1.8s   0ms     0ms
          longest: 1.8s decode of 'chat', call 1 of 1 on the critical path
        good-1       1s            200ms   800ms   0ms     0ms
          longest: 800ms decode of 'chat', call 1 of 1 on the critical path

      Errors
        http_503 × 1 in bad-1
          the server is overloaded"
    `)
  })
  test('toHaveTimePerOutputToken', () => {
    expect(
      messageOf(() => expect(several).toHaveTimePerOutputToken({ mean: '50ms' }, { over: 'successful' })),
    ).toMatchInlineSnapshot(`
      "expect(run).toHaveTimePerOutputToken({ mean: '50ms' }, { over: 'successful' })

      Scenario: support agents
      Expected: TPOT mean of the successful ≤ 50ms
      Received: TPOT mean of the successful 129ms, 158% over

      Measured over 3 sessions (2 succeeded, 1 failed) and 3 requests.
      1 of 3 requests did not succeed and is left out.

      Slowest sessions
                latency  queue + prefill  decode  wait  client
        good-2       2s            200ms    1.8s   0ms     0ms
          longest: 1.8s decode of 'chat', call 1 of 1 on the critical path
        good-1       1s            200ms   800ms   0ms     0ms
          longest: 800ms decode of 'chat', call 1 of 1 on the critical path

      Errors
        http_503 × 1 in bad-1
          the server is overloaded"
    `)
  })
  test('toHaveInterTokenLatency', () => {
    expect(messageOf(() => expect(several).toHaveInterTokenLatency({ p99: '100ms' }))).toMatchInlineSnapshot(`
      "expect(run).toHaveInterTokenLatency({ p99: '100ms' })

      Scenario: support agents
      Expected: ITL p99 ≤ 100ms
      Received: ITL p99 ∞, infinitely slow

      Measured over 3 sessions (2 succeeded, 1 failed) and 3 requests.
      1 of 3 requests did not succeed and ranks as infinitely slow. The successful
      alone: ITL p99 883ms.
      p99 of 13 gaps between chunks says little more than the slowest does: it takes
      100.

      Sessions that did not succeed
               latency  queue + prefill  decode  wait  client
        bad-1    410ms            410ms     0ms   0ms     0ms
          failed in 'chat', call 1 on the critical path: http_503

      Errors
        http_503 × 1 in bad-1
          the server is overloaded"
    `)
  })
  test('toHaveRequestLatency', () => {
    expect(messageOf(() => expect(run).toHaveRequestLatency({ max: '900ms' }))).toMatchInlineSnapshot(`
      "expect(run).toHaveRequestLatency({ max: '900ms' })

      Scenario: support agents
      Expected: request latency max ≤ 900ms
      Received: request latency max 1s, 11% over

      Measured over 1 session (1 succeeded) and 1 request.

      Slowest sessions
                latency  queue + prefill  decode  wait  client
        good-1       1s            200ms   800ms   0ms     0ms
          longest: 800ms decode of 'chat', call 1 of 1 on the critical path"
    `)
  })
  test('says for which calls it is worst', () => {
    const requests = ['plan', 'write', 'write', 'check'].map((name, index) =>
      requestRecord({ session: 'good-1', call: `c${index}`, name, firstOutputMs: 100 * (index + 1), endMs: 1_000 }),
    )
    const named = madeRun({ succeeded: [1_000], differs: { requests } })
    expect(messageOf(() => expect(named).toHaveTimeToFirstToken({ p50: '1s', max: '350ms' }))).toMatchInlineSnapshot(`
      "expect(run).toHaveTimeToFirstToken({ p50: '1s', max: '350ms' })

      Scenario: support agents
      Expected:   TTFT p50 ≤ 1s
                  TTFT max ≤ 350ms
      Received: ✓ TTFT p50 250ms, 75% to spare
                ✗ TTFT max 400ms, 14% over

      Measured over 1 session (1 succeeded) and 4 requests.

      Calls with the highest TTFT max
        'check': 400ms over 1 request
        'write': 300ms over 2 requests
        'plan': 100ms over 1 request

      Slowest sessions
                latency  queue + prefill  decode  wait  client
        good-1       1s            100ms   900ms   0ms     0ms
          longest: 900ms decode of 'plan', call 1 of 1 on the critical path"
    `)
  })
  test('with .not', () => {
    expect(messageOf(() => expect(run).not.toHaveRequestLatency({ max: '2s' }))).toMatchInlineSnapshot(`
      "expect(run).not.toHaveRequestLatency({ max: '2s' })

      Scenario: support agents
      Expected: not request latency max ≤ 2s
      Received: request latency max 1s, 50% to spare

      Measured over 1 session (1 succeeded) and 1 request."
    `)
  })
})
