import { expect, test } from 'vitest'
import { requestRecord } from '../../metrics/run-record.fixture.ts'
import '../matchers.ts'
import { madeRun, messageOf } from '../run.fixture.ts'

const requests = [
  requestRecord({ session: 'good-1', name: 'plan', inputTokens: 1_000, cachedInputTokens: 100 }),
  requestRecord({ session: 'good-1', call: 'c2', name: 'write', inputTokens: 3_000, cachedInputTokens: 2_900 }),
]
const run = madeRun({ succeeded: [410], differs: { requests } })

test('holds at its floor and not above', () => {
  expect(run).toHaveCacheHitRate(0.75)
  expect(run).not.toHaveCacheHitRate(0.76)
  expect(run.where({ label: 'plan' })).not.toHaveCacheHitRate(0.2)
})

test('says which calls were not in the cache', () => {
  expect(messageOf(() => expect(run).toHaveCacheHitRate(0.9))).toMatchInlineSnapshot(`
    "expect(run).toHaveCacheHitRate(0.9)

    Scenario: support agents
    Expected: KV-cache hit rate ≥ 90%
    Received: KV-cache hit rate 75%, 15 points short

    Measured over 1 session (1 succeeded) and 2 requests.

    Least cached calls
      'plan': 10% of 1,000 prompt tokens in 1 request
      'write': 96.7% of 3,000 prompt tokens in 1 request"
  `)
})

test('.not fails when the SLO holds', () => {
  expect(messageOf(() => expect(run).not.toHaveCacheHitRate(0.5))).toContain(
    'Expected: not KV-cache hit rate ≥ 50%\nReceived: KV-cache hit rate 75%, 25 points to spare',
  )
})

test('no verdict where the server does not report it, under `.not` too', () => {
  const silent = madeRun({ succeeded: [410, 410] })
  expect(messageOf(() => expect(silent).toHaveCacheHitRate(0.1))).toMatchInlineSnapshot(`
    "expect(run).toHaveCacheHitRate(0.1)

    Scenario: support agents
    Expected: KV-cache hit rate ≥ 10%
    Received: not gradable: no response carried its number of cached prompt tokens.
              vLLM reports it with --enable-prompt-tokens-details, SGLang with
              --enable-cache-report

    Measured over 2 sessions (2 succeeded) and 2 requests."
  `)
  expect(messageOf(() => expect(silent).not.toHaveCacheHitRate(0.1))).toContain('not gradable')
  expect(messageOf(() => expect(madeRun({ failed: 1 })).not.toHaveCacheHitRate(0.1))).toContain('no request succeeded')
})

test('says when only some responses carry it', () => {
  const some = madeRun({ succeeded: [410], differs: { requests: [...requests, requestRecord({ call: 'c3' })] } })
  expect(messageOf(() => expect(some).toHaveCacheHitRate(0.9))).toContain('2 of 3 successful responses carried')
})

test('a long name is cut', () => {
  const long = requestRecord({ session: 'good-1', name: 'x'.repeat(300), inputTokens: 10, cachedInputTokens: 1 })
  const message = messageOf(() => expect(madeRun({ succeeded: [410], differs: { requests: [long] } })).toHaveCacheHitRate(0.9))
  expect(message).toMatch(/x…/)
})

test.each([[0], [60], ['60%'], [undefined]])('%j is refused', (rate) => {
  expect(() => expect(run).toHaveCacheHitRate(rate as number)).toThrow('toHaveCacheHitRate takes a rate above 0, up to 1')
})
