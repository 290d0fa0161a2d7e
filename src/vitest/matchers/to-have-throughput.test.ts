import { expect, test } from 'vitest'
import '../matchers.ts'
import { madeRun, messageOf } from '../run.fixture.ts'

// Two requests of 100 tokens in and 11 out, in two seconds.
const run = madeRun({ succeeded: [1_000, 2_000] })

test('holds at or above every given floor', () => {
  expect(run).toHaveThroughput({
    outputTokensPerSecond: 11,
    inputTokensPerSecond: 100,
    totalTokensPerSecond: 111,
    requestsPerSecond: 1,
    sessionsPerSecond: 1,
  })
  expect(run).not.toHaveThroughput({ outputTokensPerSecond: 11.1 })
  expect(run).not.toHaveThroughput({ outputTokensPerSecond: 1, requestsPerSecond: 1.1 })
})

test('reports each floor', () => {
  expect(
    messageOf(() => expect(run).toHaveThroughput({ outputTokensPerSecond: 900, requestsPerSecond: 1 })),
  ).toMatchInlineSnapshot(`
    "expect(run).toHaveThroughput({ outputTokensPerSecond: 900, requestsPerSecond: 1 })

    Scenario: support agents
    Expected:   throughput of output tokens ≥ 900/s
                throughput of requests ≥ 1/s
    Received: ✗ throughput of output tokens 11/s, 99% short
              ✓ throughput of requests 1/s, just met

    Measured over 2 sessions (2 succeeded) and 2 requests.

    Slowest sessions
              latency  queue + prefill  decode  wait  client
      good-2       2s            200ms    1.8s   0ms     0ms
        longest: 1.8s decode of 'chat', call 1 of 1 on the critical path
      good-1       1s            200ms   800ms   0ms     0ms
        longest: 800ms decode of 'chat', call 1 of 1 on the critical path"
  `)
})

test('says when tokens are estimates', () => {
  const { requests } = run.record
  const estimated = madeRun({
    succeeded: [1_000, 2_000],
    differs: { requests: requests.map((request) => ({ ...request, tokensEstimated: true })) },
  })
  expect(messageOf(() => expect(estimated).toHaveThroughput({ outputTokensPerSecond: 900 }))).toContain(
    'tokens are estimates: the server sent no usage',
  )
  expect(messageOf(() => expect(estimated).toHaveThroughput({ requestsPerSecond: 900 }))).not.toContain('estimates')
})

test('fails without any count of tokens, under `.not` too', () => {
  const { requests } = run.record
  const uncounted = madeRun({
    succeeded: [1_000, 2_000],
    differs: { requests: requests.map((request) => ({ ...request, inputTokens: null, outputTokens: null })) },
  })
  const reason = 'Received: not gradable: no response carried a count of its tokens'
  expect(messageOf(() => expect(uncounted).toHaveThroughput({ outputTokensPerSecond: 0.1 }))).toContain(reason)
  expect(messageOf(() => expect(uncounted).not.toHaveThroughput({ outputTokensPerSecond: 900 }))).toContain(reason)
  expect(uncounted).toHaveThroughput({ requestsPerSecond: 1 })
})

test('counts failed work for nothing', () => {
  expect(messageOf(() => expect(madeRun({ failed: 2 })).toHaveThroughput({ requestsPerSecond: 0.1 }))).toContain('0/s')
})

test.each<[unknown, string]>([
  [{}, 'toHaveThroughput has no floor to hold the run to. Give at least one of outputTokensPerSecond'],
  [900, 'takes an object of floors, not 900: `{ outputTokensPerSecond: 900 }`.'],
  [null, 'not null'],
  [[], 'not []'],
  [{ outputTokenPerSecond: 900 }, 'unknown floor `outputTokenPerSecond`. Did you mean `outputTokensPerSecond`?'],
  [{ qps: 1 }, 'Known: outputTokensPerSecond, inputTokensPerSecond, totalTokensPerSecond, requestsPerSecond, sessionsPerSecond.'],
  [{ toString: 1 }, 'unknown floor `toString`'],
  [{ requestsPerSecond: '900' }, "`requestsPerSecond` is '900', expected a number per second above 0."],
  [{ requestsPerSecond: 0 }, '`requestsPerSecond` is 0'],
  [{ requestsPerSecond: -1 }, '`requestsPerSecond` is -1'],
  [{ requestsPerSecond: Number.NaN }, 'expected a number per second above 0'],
])('%j is refused', (floors, message) => {
  expect(() => expect(run).toHaveThroughput(floors as { requestsPerSecond: number })).toThrow(message)
})
