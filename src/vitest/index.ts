/** The engine inside Vitest: tests that replay, and matchers that judge. */
import './augmentation.ts'
import './matchers.ts'

export type { LatencyLimits, LatencyOptions } from './matchers/latency-limits.ts'
export type { ChangeLimit, ChangeLimits, RegressionLimits, RegressionOptions, Share } from './matchers/regression-limits.ts'
export type { GoodputFloors, GoodputLimits, GoodputOptions } from './matchers/to-have-goodput.ts'
export type { ThroughputFloors } from './matchers/to-have-throughput.ts'
export type { TokenLimits, TokenUsageLimits, TokenUsageOptions } from './matchers/to-have-token-usage.ts'
export type { SustainedLoad } from './matchers/to-sustain.ts'
export type { ReplayMatchers } from './matchers.ts'
export {
  type ReplayTest,
  type ReplayTestCall,
  type ReplayTestContext,
  type ReplayTestFunction,
  replayTest,
} from './replay-test.ts'
export type { Scenario } from './scenario.ts'
export { type ReplayFixtures, type ReplayTestAPI, test } from './test.ts'
