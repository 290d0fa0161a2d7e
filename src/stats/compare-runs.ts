import { workflowLatencyMs } from '../metrics/index.ts'
import type { Change } from './change.ts'
import { compareLatencies, type LatencyQuestion } from './latency-change.ts'
import { pairSessions, type SessionPair, type Side } from './pair-sessions.ts'
import { compareSuccessRates } from './success-rate-change.ts'

/** What two runs are to be compared by. */
export interface Comparison {
  readonly latencies: readonly LatencyQuestion[]
  /** By how much the session success rate may drop; without it that rate is not compared. */
  readonly successRate?: number
}

export interface ComparisonResult {
  /** In the order asked for, the success rate last. */
  readonly changes: readonly Change[]
  /** Sessions that succeeded on both sides and took longer on the head, the most slowed first. */
  readonly slowed: readonly SlowedSession[]
}

export interface SlowedSession {
  readonly id: string
  readonly baseMs: number
  readonly headMs: number
}

/**
 * Compares two runs of the same sessions, pair by pair.
 *
 * @throws {TraceReplayError} `NOT_GRADABLE` when they did not replay the same sessions
 */
export function compareRuns(base: Side, head: Side, { latencies, successRate }: Comparison): ComparisonResult {
  const pairs = pairSessions(base, head)
  const rates = successRate === undefined ? [] : [compareSuccessRates(pairs, successRate)]
  return {
    changes: [...compareLatencies(pairs, latencies), ...rates],
    slowed: pairs.flatMap(slowedSession).toSorted((a, b) => b.headMs / b.baseMs - a.headMs / a.baseMs),
  }
}

function slowedSession({ id, base, head }: SessionPair): SlowedSession[] {
  if (base?.state !== 'succeeded' || head?.state !== 'succeeded') return []
  const [baseMs, headMs] = [workflowLatencyMs(base), workflowLatencyMs(head)]
  return baseMs === undefined || headMs === undefined || headMs <= baseMs ? [] : [{ id, baseMs, headMs }]
}
