/** Stages → sessions → calls in dependency order. */
export { type ComparedRuns, type CompareOptions, compare } from './compare.ts'
export type { ReplayOptions, StageOptions } from './options.ts'
export type { Progress } from './progress.ts'
export { replay } from './replay.ts'
