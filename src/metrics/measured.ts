import type { SessionBreakdown } from './critical-path.ts'
import type { CriticalPathSummary } from './critical-path-summary.ts'
import type { Distribution, Over } from './distribution.ts'
import type { ErrorGroup } from './error-groups.ts'
import type { Fidelity } from './fidelity.ts'
import type { Goodput, GoodputConstraints } from './goodput.ts'
import type { Gradable } from './gradable.ts'
import type { RequestRecord, SessionRecord } from './records.ts'
import type { RequestList } from './request-list.ts'
import type { ServerLoad } from './server-load.ts'
import type { Throughput } from './throughput.ts'

/**
 * What a run and each of its stages let one ask. Durations are milliseconds. A failed, cut-off or cancelled request ranks as
 * infinitely slow in the request metrics, a failed or cut-off session in the workflow latency.
 */
export interface Measured {
  readonly sessions: readonly SessionRecord[]
  /** Made when asked for, from a more compact form, and kept for no longer than someone holds it: ask once for a loop over it. */
  readonly requests: readonly RequestRecord[]
  /** @internal The same, for figures: nothing is made for each. */
  readonly requestList: RequestList
  readonly sessionCounts: SessionCounts
  readonly requestCounts: RequestCounts
  /** Succeeded ÷ all sessions, 0 to 1. `undefined` when none ran. */
  readonly sessionSuccessRate: number | undefined
  /** First call sent → last call ended, of each session. */
  readonly workflowLatency: Distribution
  /** Request sent → end of the stream. */
  readonly requestLatency: Distribution
  /** TTFT: request sent → first output. */
  readonly timeToFirstToken: Distribution
  /** TPOT: (last output chunk − first) ÷ (output tokens − 1). */
  readonly timePerOutputToken: Distribution
  /** NTPOT: request latency ÷ output tokens. */
  readonly normalizedTimePerOutputToken: Distribution
  /**
   * ITL: gaps between successive output chunks, sketched. A request that did not succeed weighs as many infinite gaps as it
   * should have had.
   */
  readonly interTokenLatency: Distribution
  /** Intended start → request sent, of the requests that were sent: the client's own delay. Has no failures. */
  readonly scheduleLag: Distribution
  /** Cached ÷ prompt tokens over all successful requests that report both. `undefined` when none does. */
  readonly cachedShare: number | undefined
  /** How true the replay was to its recording. */
  readonly fidelity: Fidelity
  readonly throughput: Throughput
  /**
   * The requests that meet every constraint, or the sessions, where `per` says so or the workflow latency is constrained.
   *
   * @example run.goodput({ ttft: 200, tpot: 20 }).share
   */
  goodput(constraints: GoodputConstraints, per?: Goodput['of']): Goodput
  /** What the server said of itself meanwhile; `undefined` where it was not asked. */
  readonly serverLoad: ServerLoad | undefined
  /** Failures by kind, most frequent first. */
  readonly errors: readonly ErrorGroup[]
  /** Whether the figures can carry a verdict at all. */
  readonly gradable: Gradable
  /** Where the time of each session went, in the order of {@link sessions}. */
  readonly breakdowns: readonly SessionBreakdown[]
  /**
   * The calls that set the latency of sessions at a quantile, over all that succeeded.
   *
   * @param quantile `undefined`: all of them together
   * @example run.criticalPath(0.95).calls[0] // { position: 3, name: 'synthesis', sessions: 87, share: 0.41 }
   */
  criticalPath(quantile?: number): CriticalPathSummary
  /**
   * The `count` sessions with the longest latency and where their time went, slowest first. Failed and cut-off sessions
   * rank as infinitely slow, so they come first, unless only the successful are asked for.
   */
  worstSessions(count: number, over?: Over): SessionBreakdown[]
}

export interface SessionCounts {
  readonly total: number
  readonly succeeded: number
  readonly failed: number
  /** Ended by the stage's timeout or an abort. */
  readonly cutOff: number
}

export interface RequestCounts extends SessionCounts {
  /** Never sent, because a call they needed, or their session, had failed. */
  readonly cancelled: number
}
