import { describe, expect, test } from 'vitest'
import '../matchers.ts'
import { madeRun, messageOf } from '../run.fixture.ts'

const run = madeRun({ succeeded: [1_000, 2_000, 3_000, 4_000] })

test('holds when every given figure is at or below its ceiling', () => {
  expect(run).toHaveWorkflowLatency({ p50: '2.5s', max: 4_000, mean: '2500ms' })
})

test('fails when one of several does not hold, and reports each', () => {
  expect(messageOf(() => expect(run).toHaveWorkflowLatency({ p50: '3s', max: '3.5s' }))).toMatchInlineSnapshot(`
    "expect(run).toHaveWorkflowLatency({ p50: '3s', max: '3.5s' })

    Scenario: support agents
    Expected:   workflow latency p50 ≤ 3s
                workflow latency max ≤ 3.5s
    Received: ✓ workflow latency p50 2.5s, 17% to spare
              ✗ workflow latency max 4s, 14% over

    Measured over 4 sessions (4 succeeded) and 4 requests.

    Where the maximum goes
      queue + prefill 5%, decode 95%, wait 0%, client 0%
      'chat', call 1, is on the path of 4 of 4 sessions and takes 100% of the
        maximum

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

test('says by how little a figure missed its limit', () => {
  expect(messageOf(() => expect(run).toHaveWorkflowLatency({ max: 3_999.999 }))).toContain(
    'Received: workflow latency max 4000.000ms',
  )
})

test('judges a percentile of too few samples, and says so', () => {
  expect(messageOf(() => expect(run).toHaveWorkflowLatency({ p95: '2s' }))).toContain(
    'p95 of 4 sessions says little more than the slowest does: it takes 20.',
  )
})

test('judges a stage of a run', () => {
  const [stage] = run.stages
  expect(stage).toHaveWorkflowLatency({ max: '4s' })
  expect(messageOf(() => expect(stage).toHaveWorkflowLatency({ max: '3s' }))).toContain('stage 1')
})

describe('failures', () => {
  const half = madeRun({ succeeded: [1_000, 2_000], failed: 2 })

  test('rank as infinitely slow', () => {
    expect(half).toHaveWorkflowLatency({ p1: '2s' })
    expect(messageOf(() => expect(half).toHaveWorkflowLatency({ p95: '1h' }))).toMatchInlineSnapshot(`
      "expect(run).toHaveWorkflowLatency({ p95: '1h' })

      Scenario: support agents
      Expected: workflow latency p95 ≤ 60m
      Received: workflow latency p95 ∞, infinitely slow

      Measured over 4 sessions (2 succeeded, 2 failed) and 4 requests.
      2 of 4 sessions did not succeed and rank as infinitely slow. The successful
      alone: workflow latency p95 1.95s.
      p95 of 4 sessions says little more than the slowest does: it takes 20.

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

  test('are left out on demand, which the message says', () => {
    expect(half).toHaveWorkflowLatency({ max: '2s' }, { over: 'successful' })
    expect(messageOf(() => expect(half).toHaveWorkflowLatency({ max: '1s' }, { over: 'successful' }))).toMatchInlineSnapshot(`
      "expect(run).toHaveWorkflowLatency({ max: '1s' }, { over: 'successful' })

      Scenario: support agents
      Expected: workflow latency max of the successful ≤ 1s
      Received: workflow latency max of the successful 2s, 100% over

      Measured over 4 sessions (2 succeeded, 2 failed) and 4 requests.
      2 of 4 sessions did not succeed and are left out.

      Where the maximum goes
        queue + prefill 10%, decode 90%, wait 0%, client 0%
        'chat', call 1, is on the path of 2 of 2 sessions and takes 100% of the
          maximum

      Slowest sessions
                latency  queue + prefill  decode  wait  client
        good-2       2s            200ms    1.8s   0ms     0ms
          longest: 1.8s decode of 'chat', call 1 of 1 on the critical path
        good-1       1s            200ms   800ms   0ms     0ms
          longest: 800ms decode of 'chat', call 1 of 1 on the critical path

      Errors
        http_503 × 2 in bad-1, bad-2
          the server is overloaded"
    `)
  })

  test('alone fail the SLO, and prove nothing under `.not`', () => {
    const none = madeRun({ failed: 2 })
    expect(messageOf(() => expect(none).toHaveWorkflowLatency({ p95: '1h' }))).toContain('workflow latency p95 ∞')
    expect(messageOf(() => expect(none).not.toHaveWorkflowLatency({ p95: '1h' }))).toContain(
      'Received: not gradable: no session succeeded',
    )
    expect(messageOf(() => expect(none).toHaveWorkflowLatency({ p95: '1h' }, { over: 'successful' }))).toContain('not gradable')
  })
})

describe('.not', () => {
  test('holds when the SLO does not', () => {
    expect(run).not.toHaveWorkflowLatency({ max: '3s' })
    expect(run).not.toHaveWorkflowLatency({ p50: '3s', max: '3s' })
  })

  test('fails when the SLO holds', () => {
    expect(messageOf(() => expect(run).not.toHaveWorkflowLatency({ max: '5s' }))).toMatchInlineSnapshot(`
      "expect(run).not.toHaveWorkflowLatency({ max: '5s' })

      Scenario: support agents
      Expected: not workflow latency max ≤ 5s
      Received: workflow latency max 4s, 20% to spare

      Measured over 4 sessions (4 succeeded) and 4 requests."
    `)
  })
})

describe('a run that cannot be graded', () => {
  const aborted = madeRun({ succeeded: [1_000], differs: { aborted: 'the test timed out' } })

  test('fails', () => {
    expect(messageOf(() => expect(aborted).toHaveWorkflowLatency({ max: '1h' }))).toMatchInlineSnapshot(`
      "expect(run).toHaveWorkflowLatency({ max: '1h' })

      Scenario: support agents
      Expected: workflow latency max ≤ 60m
      Received: not gradable: the run was aborted: the test timed out

      Measured over 1 session (1 succeeded) and 1 request.

      Slowest sessions
                latency  queue + prefill  decode  wait  client
        good-1       1s            200ms   800ms   0ms     0ms
          longest: 800ms decode of 'chat', call 1 of 1 on the critical path"
    `)
  })

  test('fails under `.not` too', () => {
    expect(messageOf(() => expect(aborted).not.toHaveWorkflowLatency({ max: '1ms' }))).toContain('not gradable')
  })

  test('is unequal to an asymmetric matcher, negated or not', () => {
    expect({ run: aborted }).not.toEqual({ run: expect.toHaveWorkflowLatency({ max: '1h' }) })
    expect({ run: aborted }).not.toEqual({ run: expect.not.toHaveWorkflowLatency({ max: '1ms' }) })
  })
})

test('works as an asymmetric matcher', () => {
  expect({ run }).toEqual({ run: expect.toHaveWorkflowLatency({ max: '4s' }) })
  expect({ run }).toEqual({ run: expect.not.toHaveWorkflowLatency({ max: '3s' }) })
  expect({ run }).not.toEqual({ run: expect.toHaveWorkflowLatency({ max: '3s' }) })
})

test('works with `.resolves`', async () => {
  await expect(Promise.resolve(run)).resolves.toHaveWorkflowLatency({ max: '4s' })
})
