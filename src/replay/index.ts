/** Stages → sessions → calls in dependency order. */
export { findCapacity } from './capacity/find-capacity.ts'
export type { FindCapacityOptions } from './capacity/options.ts'
export type { CapacitySlo, PercentileLimits } from './capacity/slo.ts'
export { type ComparedRuns, type CompareOptions, compare } from './compare.ts'
export type { ReplayOptions, StageOptions } from './options.ts'
export type { Progress } from './progress.ts'
export { replay } from './replay.ts'
