import type { Change } from './change.ts'
import { compareLatencies, type LatencyQuestion } from './latency-change.ts'
import { pairSessions, type Side } from './pair-sessions.ts'
import { compareSuccessRates } from './success-rate-change.ts'

/** What two runs are to be compared by. */
export interface Comparison {
  readonly latencies: readonly LatencyQuestion[]
  /** By how much the session success rate may drop; without it that rate is not compared. */
  readonly successRate?: number
}

/**
 * Compares two runs of the same sessions, pair by pair.
 *
 * @throws {TraceReplayError} `NOT_GRADABLE` when they did not replay the same sessions
 */
export function compareRuns(base: Side, head: Side, { latencies, successRate }: Comparison): Change[] {
  const pairs = pairSessions(base, head)
  return [...compareLatencies(pairs, latencies), ...(successRate === undefined ? [] : [compareSuccessRates(pairs, successRate)])]
}
