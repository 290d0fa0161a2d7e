import { type Distribution, ExactDistribution } from './distribution.ts'
import type { RequestRecord, SessionRecord } from './records.ts'
import type { RequestList } from './request-list.ts'

/** Tokens that can be counted of a request; `uncachedInputTokens` only where the server reports what was cached. */
export type TokenCount = 'inputTokens' | 'outputTokens' | 'totalTokens' | 'uncachedInputTokens'

/**
 * Tokens of each session or request. What did not succeed ranks as infinitely many: a server cannot look thrifty by failing.
 * A session counts when every one of its requests carries the count.
 */
export function tokenUsage(
  sessions: readonly SessionRecord[],
  requests: RequestList,
  what: TokenCount,
  per: 'requests' | 'sessions',
): Distribution {
  if (per === 'requests') {
    return new ExactDistribution(
      requests.flatMap((request) => (request.state === 'succeeded' ? (tokensOf(request, what) ?? []) : Number.POSITIVE_INFINITY)),
    )
  }
  const sums = new Map<string, number>()
  for (const request of requests) {
    const key = `${request.stage} ${request.session}`
    sums.set(key, (sums.get(key) ?? 0) + (tokensOf(request, what) ?? Number.NaN))
  }
  return new ExactDistribution(
    sessions.flatMap((session) => {
      if (session.state !== 'succeeded') return Number.POSITIVE_INFINITY
      const sum = sums.get(`${session.stage} ${session.id}`) ?? Number.NaN
      return Number.isNaN(sum) ? [] : sum
    }),
  )
}

/** `undefined` where the response does not say. */
export function tokensOf(request: RequestRecord, what: TokenCount): number | undefined {
  const { inputTokens, outputTokens, cachedInputTokens } = request
  switch (what) {
    case 'inputTokens':
      return inputTokens ?? undefined
    case 'outputTokens':
      return outputTokens ?? undefined
    case 'totalTokens':
      return inputTokens === null || outputTokens === null ? undefined : inputTokens + outputTokens
    case 'uncachedInputTokens':
      return inputTokens === null || cachedInputTokens === null ? undefined : inputTokens - cachedInputTokens
  }
}
