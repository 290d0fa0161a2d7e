import { expect } from 'vitest'
import { type CacheHitRateMatcher, toHaveCacheHitRate } from './matchers/to-have-cache-hit-rate.ts'
import { type GoodputMatcher, toHaveGoodput } from './matchers/to-have-goodput.ts'
import { type InterTokenLatencyMatcher, toHaveInterTokenLatency } from './matchers/to-have-inter-token-latency.ts'
import { type ReplayFidelityMatcher, toHaveReplayFidelity } from './matchers/to-have-replay-fidelity.ts'
import { type RequestLatencyMatcher, toHaveRequestLatency } from './matchers/to-have-request-latency.ts'
import { type SessionSuccessRateMatcher, toHaveSessionSuccessRate } from './matchers/to-have-session-success-rate.ts'
import { type ThroughputMatcher, toHaveThroughput } from './matchers/to-have-throughput.ts'
import { type TimePerOutputTokenMatcher, toHaveTimePerOutputToken } from './matchers/to-have-time-per-output-token.ts'
import { type TimeToFirstTokenMatcher, toHaveTimeToFirstToken } from './matchers/to-have-time-to-first-token.ts'
import { type TokenUsageMatcher, toHaveTokenUsage } from './matchers/to-have-token-usage.ts'
import { toHaveWorkflowLatency, type WorkflowLatencyMatcher } from './matchers/to-have-workflow-latency.ts'
import { type BaselineMatcher, toMatchBaseline } from './matchers/to-match-baseline.ts'
import { type RegressionMatcher, toRegressFrom } from './matchers/to-regress-from.ts'
import { type SustainMatcher, toSustain } from './matchers/to-sustain.ts'

/** What `expect(run)` and `expect(run.stages[0])` gain. */
export interface ReplayMatchers<Result>
  extends SessionSuccessRateMatcher<Result>,
    WorkflowLatencyMatcher<Result>,
    RequestLatencyMatcher<Result>,
    TimeToFirstTokenMatcher<Result>,
    TimePerOutputTokenMatcher<Result>,
    InterTokenLatencyMatcher<Result>,
    ThroughputMatcher<Result>,
    GoodputMatcher<Result>,
    CacheHitRateMatcher<Result>,
    TokenUsageMatcher<Result>,
    ReplayFidelityMatcher<Result>,
    BaselineMatcher<Result>,
    RegressionMatcher<Result>,
    SustainMatcher<Result> {}

// The one declaration that both Vitest 4 (`Matchers<T>`) and Vitest 5 (`Matchers<R, T>`) merge with.
declare global {
  namespace Chai {
    interface Assertion extends ReplayMatchers<void> {}
  }
}
declare module 'vitest' {
  interface AsymmetricMatchersContaining extends ReplayMatchers<unknown> {}
}

expect.extend({
  toHaveSessionSuccessRate,
  toHaveWorkflowLatency,
  toHaveRequestLatency,
  toHaveTimeToFirstToken,
  toHaveTimePerOutputToken,
  toHaveInterTokenLatency,
  toHaveThroughput,
  toHaveGoodput,
  toHaveCacheHitRate,
  toHaveTokenUsage,
  toHaveReplayFidelity,
  toMatchBaseline,
  toRegressFrom,
  toSustain,
})
