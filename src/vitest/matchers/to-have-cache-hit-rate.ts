import type { RequestList, RequestRecord } from '../../metrics/index.ts'
import { formatCount, formatShare } from '../../report/index.ts'
import { checkRate } from './check-rate.ts'
import { judge, type MatcherResult, type ReplayMatcher } from './judge.ts'

export interface CacheHitRateMatcher<Result> {
  /**
   * Holds the share of prompt tokens that the server had in its prefix cache, over all successful requests that report it,
   * to a floor: a rate above 0, up to 1.
   *
   * @example
   * expect(run).toHaveCacheHitRate(0.6)
   */
  toHaveCacheHitRate(rate: number): Result
}

const matcher = 'toHaveCacheHitRate'

export const toHaveCacheHitRate: ReplayMatcher<[rate: number]> = function cacheHitRate(received, rate): MatcherResult {
  return judge(this, received, {
    matcher,
    argument: String(rate),
    self: cacheHitRate,
    figures({ cachedShare, requestList: requests }) {
      checkRate(rate, matcher)
      const samples = requests.filter(reportsCache).length
      return [
        {
          label: 'KV-cache hit rate',
          observed: cachedShare,
          limit: rate,
          unit: 'rate',
          direction: 'floor',
          samples,
          sampled: 'requests',
          ...(cachedShare === undefined ? { unmeasured: requests.some(succeeded) ? UNREPORTED : 'no request succeeded' } : {}),
          ...(samples > 0 && samples < requests.filter(succeeded).length ? { note: partly(samples, requests) } : {}),
        },
      ]
    },
    explain: ({ requestList: requests }) => {
      const lines = hitRates(requests.filter(reportsCache))
      return lines.length === 0 ? [] : [{ title: 'Least cached calls', lines }]
    },
  })
}

const UNREPORTED =
  'no response carried its number of cached prompt tokens. vLLM reports it with --enable-prompt-tokens-details, SGLang with --enable-cache-report'

function succeeded({ state }: RequestRecord): boolean {
  return state === 'succeeded'
}

function reportsCache({ state, cachedInputTokens, inputTokens }: RequestRecord): boolean {
  return state === 'succeeded' && cachedInputTokens !== null && inputTokens !== null
}

function partly(samples: number, requests: RequestList): string {
  return `${formatCount(samples)} of ${formatCount(requests.filter(succeeded).length)} successful responses carried their number of cached tokens.`
}

const MOST_LINES = 5

/** By call name, those first that read most anew. */
function hitRates(requests: RequestList): string[] {
  const calls = new Map<string, { count: number; prompt: number; cached: number }>()
  for (const { name, inputTokens, cachedInputTokens } of requests) {
    const sum = calls.get(name) ?? { count: 0, prompt: 0, cached: 0 }
    calls.set(name, sum)
    sum.count += 1
    sum.prompt += inputTokens ?? 0
    sum.cached += cachedInputTokens ?? 0
  }
  return [...calls]
    .sort(([, a], [, b]) => b.prompt - b.cached - (a.prompt - a.cached))
    .slice(0, MOST_LINES)
    .map(
      ([name, { count, prompt, cached }]) =>
        `'${name}': ${formatShare(prompt === 0 ? 0 : cached / prompt)} of ${formatCount(prompt)} prompt tokens in ${formatCount(count)} ${count === 1 ? 'request' : 'requests'}`,
    )
}
