import { timePerOutputTokenMs } from '../../metrics/index.ts'
import type { LatencyLimits, LatencyOptions } from './latency-limits.ts'
import { latencyMatcher } from './latency-matcher.ts'

export interface TimePerOutputTokenMatcher<Result> {
  /**
   * Holds the time per output token (TPOT), (last output chunk − first) ÷ (output tokens − 1), to ceilings. Responses of fewer
   * than two tokens, or that came in one chunk, carry none. A request that did not succeed ranks as infinitely slow.
   *
   * @example
   * expect(run).toHaveTimePerOutputToken({ p95: '40ms' })
   */
  toHaveTimePerOutputToken(limits: LatencyLimits, options?: LatencyOptions): Result
}

export const toHaveTimePerOutputToken = latencyMatcher({
  matcher: 'toHaveTimePerOutputToken',
  name: 'TPOT',
  perToken: true,
  sampled: 'requests',
  read: (measured) => measured.timePerOutputToken,
  ofRequest: timePerOutputTokenMs,
})
