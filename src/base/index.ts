/** What every layer stands on: errors, warnings, time, and the check of values that come from outside. */
export { atCaller } from './at-caller.ts'
export { checkOptions } from './check-options.ts'
export { type Clock, systemClock, type Timer } from './clock.ts'
export { type Duration, formatDuration, parseDuration } from './duration.ts'
export { type ErrorCode, TraceReplayError } from './error.ts'
export { nearest } from './nearest.ts'
export { drawFrom, drawInteger, drawOne, mix, type Random, type Range, seededRandom } from './random.ts'
export type { Warn, Warning } from './warning.ts'
