import type { LatencyLimits, LatencyOptions } from './latency-limits.ts'
import { latencyMatcher } from './latency-matcher.ts'

export interface InterTokenLatencyMatcher<Result> {
  /**
   * Holds the inter-token latency (ITL), the gaps between successive output chunks of all requests, to ceilings. Tokens that
   * share a chunk share its time. A request that did not succeed counts as as many infinite gaps as it should have had.
   *
   * @example
   * expect(run).toHaveInterTokenLatency({ p99: '100ms' })
   */
  toHaveInterTokenLatency(limits: LatencyLimits, options?: LatencyOptions): Result
}

export const toHaveInterTokenLatency = latencyMatcher({
  matcher: 'toHaveInterTokenLatency',
  name: 'ITL',
  perToken: true,
  sampled: 'gaps',
  read: (measured) => measured.interTokenLatency,
})
