import type { Warning } from '../base/index.ts'
import type { SearchOutcome } from './capacity-search.ts'

/** How many sessions at once a target bears within an SLO, as {@link findCapacity} found it. Plain JSON. */
export interface Capacity {
  /** The workload's, or the one that was given. */
  readonly name: string
  readonly outcome: SearchOutcome
  /** The knee: the most sessions at once, of those tried, that met the SLO. 0 when none did. */
  readonly concurrentSessions: number
  /** The fewest, of those tried, that did not; `null` when all did. */
  readonly lowestFailing: number | null
  readonly range: { readonly from: number; readonly to: number }
  /** Each limit of the SLO, as a reader would say it: `'workflow latency p95 ≤ 45s'`. */
  readonly slo: readonly string[]
  /** What was measured at each number of sessions, fewest first. */
  readonly curve: readonly CapacityPoint[]
  /** What was skipped, repaired or ignored in any of the measurements. */
  readonly warnings: readonly Warning[]
  /** Why the search ended before its answer was as precise as asked for; absent when it did not. */
  readonly unfinished?: string
}

/** What so many sessions at once came to, over all measurements of them. */
export interface CapacityPoint {
  readonly concurrentSessions: number
  readonly measurements: number
  /** Sessions measured, all measurements together. */
  readonly sessions: number
  readonly met: boolean
  /** With 95 % confidence it is no chance that the SLO was met, or was not. */
  readonly certain: boolean
  /** A measurement was ended as soon as it was clear that the SLO would not be met: latencies are those of what had ended. */
  readonly cutShort: boolean
  readonly sessionSuccessRate: number
  /** p95, in milliseconds; `null` is infinitely slow, as JSON has no `Infinity`. */
  readonly workflowLatencyP95Ms: number | null
  readonly sessionsPerSecond: number
  readonly requestsPerSecond: number
  /** `null` when no response carried a count. */
  readonly outputTokensPerSecond: number | null
  /** Share of the samples that broke each limit, in the order of {@link Capacity.slo}, and the share that may. */
  readonly limits: readonly { readonly broken: number; readonly tolerated: number; readonly samples: number }[]
}
