import { expect, test } from 'vitest'
import { type Measured, Run } from '../metrics/index.ts'
import { requestRecord, runRecord, sessionRecord } from '../metrics/run-record.fixture.ts'
import { reviewRun, verdict } from './example-run.fixture.ts'
import { renderSloFailure } from './failure-message.ts'
import { visibleWidth } from './terminal-text.ts'

const calm = reviewRun()
const troubled = reviewRun({ failing: 5 })

function p95(run: Measured, over: 'all' | 'successful' = 'all'): number {
  return run.workflowLatency.quantile(0.95, over) ?? Number.NaN
}

test('a latency over its ceiling: what was seen, and where the slowest sessions spent their time', () => {
  const failure = { scenario: calm.name, measured: calm, verdicts: [verdict({ observed: p95(calm), limit: 35_000 })] }
  expect(renderSloFailure(failure)).toMatchInlineSnapshot(`
    "Scenario: PR review agents, 20 at once
    Expected: workflow latency p95 ≤ 35s
    Received: workflow latency p95 43.2s, 23% over

    Measured over 40 sessions (40 succeeded) and 120 requests.

    Where p95 goes
      queue + prefill 4%, decode 83%, wait 12%, client <1%
      'chat read_files', call 2, is on the path of 40 of 40 sessions and takes 48%
        of p95
      'chat review', call 3, is on the path of 40 of 40 sessions and takes 32% of
        p95
      'chat plan', call 1, is on the path of 40 of 40 sessions and takes 7% of p95

    Slowest sessions
                 latency  queue + prefill  decode  wait  client
      review-40    44.4s            2.02s   38.4s    4s     7ms
        longest: 24.5s decode of 'chat read_files', call 2 of 3 on the critical path
      review-39    43.8s            1.98s   37.8s    4s     7ms
        longest: 24s decode of 'chat read_files', call 2 of 3 on the critical path
      review-38    43.2s            1.95s   37.2s    4s     7ms
        longest: 23.5s decode of 'chat read_files', call 2 of 3 on the critical path"
  `)
})

test('failures that lift a percentile to infinity are named, with the figure of the successful', () => {
  const verdicts = [
    verdict({ label: 'workflow latency p50', observed: 32_000, limit: 40_000, successful: 30_520, pass: true }),
    verdict({ observed: p95(troubled), limit: 45_000, successful: p95(troubled, 'successful') }),
  ]
  expect(renderSloFailure({ scenario: troubled.name, measured: troubled, verdicts })).toMatchInlineSnapshot(`
    "Scenario: PR review agents, 20 at once
    Expected:   workflow latency p50 ≤ 40s
                workflow latency p95 ≤ 45s
    Received: ✓ workflow latency p50 32s, 20% to spare
              ✗ workflow latency p95 ∞, infinitely slow

    Measured over 40 sessions (35 succeeded, 5 failed) and 120 requests.
    5 of 40 sessions did not succeed and rank as infinitely slow. The successful
    alone: workflow latency p50 30.5s, workflow latency p95 40.2s.

    Sessions that did not succeed
                 latency  queue + prefill  decode  wait  client
      review-40    6.85s            845ms      2s    4s     5ms
        failed in 'chat read_files', call 2 on the critical path: idle_timeout
      review-39    6.84s            840ms      2s    4s     5ms
        failed in 'chat read_files', call 2 on the critical path: http_503
      review-38    6.84s            835ms      2s    4s     5ms
        failed in 'chat read_files', call 2 on the critical path: idle_timeout

    Errors
      idle_timeout × 3 in review-36, review-38, review-40
        No bytes for 60s after 12 chunks.
      http_503 × 2 in review-37, review-39
        The server answered 503 Service Unavailable: the queue is full (128
        waiting)."
  `)
})

test('a success rate under its floor shows what failed, and how', () => {
  const rate = verdict({ label: 'session success rate', observed: 0.875, limit: 0.99, unit: 'rate', direction: 'floor' })
  expect(renderSloFailure({ scenario: troubled.name, measured: troubled, verdicts: [rate] })).toMatchInlineSnapshot(`
    "Scenario: PR review agents, 20 at once
    Expected: session success rate ≥ 99%
    Received: session success rate 87.5%, 11.5 points short

    Measured over 40 sessions (35 succeeded, 5 failed) and 120 requests.

    Sessions that did not succeed
                 latency  queue + prefill  decode  wait  client
      review-40    6.85s            845ms      2s    4s     5ms
        failed in 'chat read_files', call 2 on the critical path: idle_timeout
      review-39    6.84s            840ms      2s    4s     5ms
        failed in 'chat read_files', call 2 on the critical path: http_503
      review-38    6.84s            835ms      2s    4s     5ms
        failed in 'chat read_files', call 2 on the critical path: idle_timeout

    Errors
      idle_timeout × 3 in review-36, review-38, review-40
        No bytes for 60s after 12 chunks.
      http_503 × 2 in review-37, review-39
        The server answered 503 Service Unavailable: the queue is full (128
        waiting)."
  `)
})

test('over the successful, failures are said to be left out and the slowest successes shown', () => {
  const verdicts = [verdict({ observed: p95(troubled, 'successful'), limit: 35_000, over: 'successful' })]
  const text = renderSloFailure({ scenario: troubled.name, measured: troubled, verdicts })
  expect(text).toContain('5 of 40 sessions did not succeed and are left out.')
  expect(text).toContain('Slowest sessions')
  expect(text).toContain('review-35')
})

test('a request metric counts requests, the cancelled ones included', () => {
  const verdicts = [
    verdict({ label: 'TTFT p99', observed: null, limit: 500, sampled: 'requests', samples: 120, successful: 1_000 }),
  ]
  expect(renderSloFailure({ scenario: troubled.name, measured: troubled, verdicts })).toContain(
    '10 of 120 requests did not succeed and rank as infinitely slow. The successful',
  )
})

test('too few samples are said to be too few', () => {
  const note = 'p99 rests on 40 sessions; it takes 100 for it to be more than the slowest of them.'
  const verdicts = [verdict({ note }), verdict({ note, label: 'workflow latency p99' })]
  const text = renderSloFailure({ scenario: calm.name, measured: calm, verdicts })
  expect(text.replaceAll('\n', ' ').split(note)).toHaveLength(2)
})

test('where there is no verdict the reason stands in place of a figure, asked with .not or without', () => {
  const measured = new Run(runRecord())
  const verdicts = [verdict({ observed: null, samples: 0 })]
  const failure = { scenario: calm.name, measured, verdicts, ungradable: 'no session ran' }
  expect(renderSloFailure(failure)).toMatchInlineSnapshot(`
    "Scenario: PR review agents, 20 at once
    Expected: workflow latency p95 ≤ 45s
    Received: not gradable: no session ran

    Measured over 0 sessions and 0 requests."
  `)
  expect(renderSloFailure({ ...failure, inverted: true })).toContain('not gradable: no session ran')
})

test('with .not the figures are enough', () => {
  const verdicts = [verdict({ observed: p95(calm), limit: 75_000, pass: true })]
  expect(renderSloFailure({ scenario: calm.name, measured: calm, verdicts, inverted: true })).toMatchInlineSnapshot(`
    "Scenario: PR review agents, 20 at once
    Expected: not workflow latency p95 ≤ 1m 15s
    Received: workflow latency p95 43.2s, 42% to spare

    Measured over 40 sessions (40 succeeded) and 120 requests."
  `)
})

test('many failures are cut to what can be read', () => {
  const labels = ['http_503', 'http_429', 'idle_timeout', 'call_timeout', 'truncated', 'dns', 'tls']
  const sessions = Array.from({ length: 150 }, (_, index) => {
    const label = labels[index % labels.length] ?? ''
    const error = { label, message: `${label}: `.padEnd(400, 'a long message from the server '), call: 'c1' }
    return sessionRecord({ id: `a-session-with-a-rather-long-name-${index}`, state: 'failed', error })
  })
  const requests = sessions.map(({ id, error }) => requestRecord({ session: id, state: 'failed', error }))
  const measured = new Run(runRecord({ sessions, requests }))
  const text = renderSloFailure({ scenario: 'x', measured, verdicts: [verdict({ observed: null })] })
  expect(text.split('\n').length).toBeLessThan(40)
  expect(text).toContain('+ 2 more kinds')
  expect(text).toMatch(/http_503 × 22 in .* \+ 19\s+more/s)
  expect(Math.max(...text.split('\n').map(visibleWidth))).toBeLessThanOrEqual(80)
})

test('text of a server cannot repaint the terminal', () => {
  const error = { label: 'http_500', message: '<html>\r\n\u001b[2J\u001b[31mgone', call: 'c1' }
  const measured = new Run(
    runRecord({
      sessions: [sessionRecord({ id: 'a\u001b[1m', state: 'failed', error })],
      requests: [requestRecord({ session: 'a\u001b[1m', name: 'chat\nx', state: 'failed', error })],
    }),
  )
  const text = renderSloFailure({ scenario: 'x\u001b[2J', measured, verdicts: [verdict({ observed: null })] })
  expect(text).not.toMatch(/[\u001b\r]/)
  expect(text).toContain("failed in 'chat x'")
})

test.each([60, 80, 120])('stays within %d columns', (width) => {
  const verdicts = [verdict({ observed: null, successful: 40_000 })]
  const text = renderSloFailure({ scenario: 'a name '.repeat(30), measured: troubled, verdicts }, { width })
  expect(Math.max(...text.split('\n').map(visibleWidth))).toBeLessThanOrEqual(Math.max(width, 70))
})
