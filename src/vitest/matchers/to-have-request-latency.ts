import { requestLatencyMs } from '../../metrics/index.ts'
import type { LatencyLimits, LatencyOptions } from './latency-limits.ts'
import { latencyMatcher } from './latency-matcher.ts'

export interface RequestLatencyMatcher<Result> {
  /**
   * Holds the request latency, request sent → end of the stream, to ceilings. A request that did not succeed, or was never
   * sent because one before it failed, ranks as infinitely slow.
   *
   * @example
   * expect(run).toHaveRequestLatency({ p99: '8s', max: '20s' })
   */
  toHaveRequestLatency(limits: LatencyLimits, options?: LatencyOptions): Result
}

export const toHaveRequestLatency = latencyMatcher({
  matcher: 'toHaveRequestLatency',
  name: 'request latency',
  sampled: 'requests',
  read: (measured) => measured.requestLatency,
  ofRequest: requestLatencyMs,
})
