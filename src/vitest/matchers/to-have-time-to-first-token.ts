import { timeToFirstTokenMs } from '../../metrics/index.ts'
import type { LatencyLimits, LatencyOptions } from './latency-limits.ts'
import { latencyMatcher } from './latency-matcher.ts'

export interface TimeToFirstTokenMatcher<Result> {
  /**
   * Holds the time to first token (TTFT), request sent → first chunk with output of any kind, to ceilings. A request that did
   * not succeed ranks as infinitely slow. Without streaming it is the whole latency.
   *
   * @example
   * expect(run).toHaveTimeToFirstToken({ p99: '500ms' })
   */
  toHaveTimeToFirstToken(limits: LatencyLimits, options?: LatencyOptions): Result
}

export const toHaveTimeToFirstToken = latencyMatcher({
  matcher: 'toHaveTimeToFirstToken',
  name: 'TTFT',
  sampled: 'requests',
  read: (measured) => measured.timeToFirstToken,
  ofRequest: timeToFirstTokenMs,
})
