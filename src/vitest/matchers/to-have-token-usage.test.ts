import { expect, test } from 'vitest'
import { requestRecord } from '../../metrics/run-record.fixture.ts'
import '../matchers.ts'
import { madeRun, messageOf } from '../run.fixture.ts'

const counted = [1_000, 2_000].flatMap((inputTokens, index) =>
  ['plan', 'write'].map((name) =>
    requestRecord({
      session: `good-${index + 1}`,
      call: name,
      name,
      inputTokens,
      outputTokens: 50,
      cachedInputTokens: name === 'plan' ? 0 : inputTokens,
    }),
  ),
)
const run = madeRun({ succeeded: [410, 410], differs: { requests: counted } })

test('holds at its ceiling and not below', () => {
  expect(run).toHaveTokenUsage({ totalTokens: { max: 4_100, mean: 3_100 }, outputTokens: { p50: 100 } })
  expect(run).not.toHaveTokenUsage({ totalTokens: { max: 4_099 } })
  expect(run).toHaveTokenUsage({ uncachedInputTokens: { max: 2_000 } })
  expect(run).toHaveTokenUsage({ inputTokens: { max: 2_000 } }, { per: 'request' })
  expect(run).not.toHaveTokenUsage({ inputTokens: { max: 1_999 } }, { per: 'request' })
})

test('says which calls used most', () => {
  expect(
    messageOf(() => expect(run).toHaveTokenUsage({ totalTokens: { p95: 3_000 }, outputTokens: { max: 200 } })),
  ).toMatchInlineSnapshot(`
    "expect(run).toHaveTokenUsage({ totalTokens: { p95: 3000 }, outputTokens: { max: 200 } })

    Scenario: support agents
    Expected:   input and output tokens of a session p95 ≤ 3,000
                output tokens of a session max ≤ 200
    Received: ✗ input and output tokens of a session p95 4,000, 33% over
              ✓ output tokens of a session max 100, 50% to spare

    Measured over 2 sessions (2 succeeded) and 4 requests.
    p95 of 2 sessions says little more than the largest does: it takes 20.

    Calls that used most tokens
      'plan': 2 × 1,500 in, 50 out on average
      'write': 2 × 1,500 in, 50 out on average"
  `)
})

test('what failed ranks as infinitely many', () => {
  const half = madeRun({ succeeded: [410, 410], failed: 2 })
  expect(half).toHaveTokenUsage({ outputTokens: { p1: 200 } })
  expect(messageOf(() => expect(half).toHaveTokenUsage({ outputTokens: { mean: 200 } }))).toMatchInlineSnapshot(`
    "expect(run).toHaveTokenUsage({ outputTokens: { mean: 200 } })

    Scenario: support agents
    Expected: output tokens of a session mean ≤ 200
    Received: output tokens of a session mean ∞, over

    Measured over 4 sessions (2 succeeded, 2 failed) and 4 requests.
    2 of 4 sessions did not succeed and rank as infinitely many tokens. The
    successful alone: output tokens of a session mean 11.

    Calls that used most tokens
      'chat': 2 × 100 in, 11 out on average

    Errors
      http_503 × 2 in bad-1, bad-2
        the server is overloaded"
  `)
  expect(messageOf(() => expect(madeRun({ failed: 2 })).not.toHaveTokenUsage({ outputTokens: { max: 1 } }))).toContain(
    'not gradable: no session succeeded',
  )
})

test('.not fails when the SLO holds', () => {
  expect(messageOf(() => expect(run).not.toHaveTokenUsage({ outputTokens: { max: 200 } }))).toContain(
    'Expected: not output tokens of a session max ≤ 200\nReceived: output tokens of a session max 100, 50% to spare',
  )
})

test('no verdict without counts, under `.not` too; estimates are said to be some', () => {
  const uncounted = madeRun({
    succeeded: [410],
    differs: { requests: [requestRecord({ session: 'good-1', inputTokens: null })] },
  })
  const reason = 'not gradable: no successful response carried its number of input\n          tokens'
  expect(messageOf(() => expect(uncounted).toHaveTokenUsage({ inputTokens: { max: 1 } }))).toContain(reason)
  expect(messageOf(() => expect(uncounted).not.toHaveTokenUsage({ inputTokens: { max: 1 } }))).toContain(reason)
  expect(messageOf(() => expect(madeRun({ succeeded: [1] })).toHaveTokenUsage({ uncachedInputTokens: { max: 1 } }))).toContain(
    'not gradable: no successful response carried',
  )
  const guessed = madeRun({
    succeeded: [410],
    differs: { requests: [requestRecord({ session: 'good-1', tokensEstimated: true })] },
  })
  expect(messageOf(() => expect(guessed).toHaveTokenUsage({ inputTokens: { max: 1 } }))).toContain('Tokens are estimates')
})

test.each<[unknown[], string]>([
  [[], 'toHaveTokenUsage: the limits are undefined, expected an object such as `{ totalTokens: { p95: 60_000 } }`.'],
  [[{}], 'there is no limit to hold the run to'],
  [[{ totalTokens: {} }], 'there is no limit to hold the run to'],
  [[{ totalToken: { max: 1 } }], 'unknown limit `totalToken`. Did you mean `totalTokens`?'],
  [[{ cost: { max: 1 } }], 'Known: inputTokens, outputTokens, totalTokens, uncachedInputTokens.'],
  [[{ totalTokens: 60_000 }], 'Did you mean `{ max: 60000 }` or `{ mean: 60000 }`?'],
  [[{ totalTokens: { median: 1 } }], '`totalTokens`: unknown limit `median`. Did you mean `p50`?'],
  [[{ totalTokens: { p95: '60k' } }], "`totalTokens.p95` is '60k', expected a number of tokens above 0."],
  [[{ totalTokens: { p95: 1 } }, { per: 'run' }], "`per` is 'run', expected 'session' | 'request'."],
  [[{ totalTokens: { p95: 1 } }, { over: 'all' }], 'unknown option `over`'],
])('%j is refused', (args, message) => {
  expect(() => expect(run).toHaveTokenUsage(...(args as [{ totalTokens: { max: number } }]))).toThrow(message)
})
