import type { LatencyLimits, LatencyOptions } from './latency-limits.ts'
import { latencyMatcher } from './latency-matcher.ts'

export interface WorkflowLatencyMatcher<Result> {
  /**
   * Holds the workflow latency, first call sent → last call ended of one session, to ceilings. Waits between the calls are
   * part of it. A failed or cut-off session ranks as infinitely slow.
   *
   * @example
   * expect(run).toHaveWorkflowLatency({ p50: '20s', p95: '45s' })
   */
  toHaveWorkflowLatency(limits: LatencyLimits, options?: LatencyOptions): Result
}

export const toHaveWorkflowLatency = latencyMatcher({
  matcher: 'toHaveWorkflowLatency',
  name: 'workflow latency',
  sampled: 'sessions',
  read: (measured) => measured.workflowLatency,
})
