import { expect, test } from 'vitest'
import { requestRecord, sessionRecord } from './run-record.fixture.ts'
import { tokensOf, tokenUsage } from './token-usage.ts'

const first = requestRecord({ inputTokens: 100, outputTokens: 11, cachedInputTokens: 40 })
const second = requestRecord({ call: 'c2', inputTokens: 200, outputTokens: 9 })
const uncounted = requestRecord({ session: 'b', inputTokens: null, outputTokens: null })
const failed = requestRecord({ session: 'f', state: 'failed', outputTokens: 1 })
const sessions = [sessionRecord({ id: 'a' }), sessionRecord({ id: 'b' }), sessionRecord({ id: 'f', state: 'failed' })]

test('tokens of a request', () => {
  expect(tokensOf(first, 'totalTokens')).toBe(111)
  expect(tokensOf(first, 'uncachedInputTokens')).toBe(60)
  expect(tokensOf(second, 'uncachedInputTokens')).toBeUndefined()
  expect(tokensOf(uncounted, 'totalTokens')).toBeUndefined()
})

test('a session uses what its requests do; one with a request that was not counted carries no figure', () => {
  const used = tokenUsage(sessions, [first, second, uncounted, failed], 'totalTokens', 'sessions')
  expect(used.count).toBe(2)
  expect(used.max('successful')).toBe(320)
})

test('what did not succeed ranks as infinitely many', () => {
  const used = tokenUsage(sessions, [first, second, uncounted, failed], 'outputTokens', 'requests')
  expect(used.max()).toBe(Number.POSITIVE_INFINITY)
  expect(used.quantile(0.5)).toBe(11)
})
