import { expect, test } from 'vitest'
import { TraceReplayError } from '../../base/index.ts'
import '../matchers.ts'
import { madeRun, messageOf } from '../run.fixture.ts'

const threeOfFour = madeRun({ succeeded: [1_000, 2_000, 3_000], failed: 1 })

test('holds at or above its floor', () => {
  expect(threeOfFour).toHaveSessionSuccessRate(0.75)
  expect(threeOfFour).toHaveSessionSuccessRate(0.5)
  expect(threeOfFour).not.toHaveSessionSuccessRate(0.76)
})

test('names the sessions that did not succeed, and why', () => {
  expect(messageOf(() => expect(threeOfFour).toHaveSessionSuccessRate(0.99))).toMatchInlineSnapshot(`
    "expect(run).toHaveSessionSuccessRate(0.99)

    Scenario: support agents
    Expected: session success rate ≥ 99%
    Received: session success rate 75%, 24 points short

    Measured over 4 sessions (3 succeeded, 1 failed) and 4 requests.

    Sessions that did not succeed
             latency  queue + prefill  decode  wait  client
      bad-1    410ms            410ms     0ms   0ms     0ms
        failed in 'chat', call 1 on the critical path: http_503

    Errors
      http_503 × 1 in bad-1
        the server is overloaded"
  `)
})

test('fails when no session ran, under `.not` too', () => {
  const none = madeRun({})
  expect(messageOf(() => expect(none).toHaveSessionSuccessRate(0.01))).toContain('Received: not gradable: no session ran')
  expect(messageOf(() => expect(none).not.toHaveSessionSuccessRate(0.01))).toContain('Received: not gradable: no session ran')
})

test.each<[unknown, string]>([
  [99, 'toHaveSessionSuccessRate takes a rate above 0, up to 1, not 99. Did you mean 0.99?'],
  [100, 'Did you mean 1?'],
  [1.0001, 'Did you mean 0.010001?'],
  [101, 'not 101.'],
  [0, 'not 0.'],
  [-0.5, 'not -0.5.'],
  [Number.NaN, 'not NaN.'],
  ['99%', "not '99%'."],
  [undefined, 'not undefined.'],
  [{ rate: 0.99 }, 'not { rate: 0.99 }.'],
])('%j is refused', (rate, message) => {
  expect(() => expect(threeOfFour).toHaveSessionSuccessRate(rate as number)).toThrow(message)
  expect(() => expect(threeOfFour).not.toHaveSessionSuccessRate(rate as number)).toThrow(TraceReplayError)
})
