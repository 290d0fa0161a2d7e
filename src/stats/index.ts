/** Two runs → an honest verdict with an interval. */
export type { Interval } from './bootstrap.ts'
export type { Capacity, CapacityPoint } from './capacity.ts'
export {
  isSurelyBroken,
  type Level,
  type SearchBounds,
  type SearchOutcome,
  type SearchResult,
  searchCapacity,
  type Trial,
} from './capacity-search.ts'
export type { Change, ComparedFigure, LatencyChange, Outcome, SuccessRateChange, Tolerance } from './change.ts'
export { type Comparison, type ComparisonResult, compareRuns, type SlowedSession } from './compare-runs.ts'
export type { LatencyQuestion } from './latency-change.ts'
export type { Side } from './pair-sessions.ts'
export type { ComparedLatency } from './paired-samples.ts'
