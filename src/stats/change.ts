import type { Interval } from './bootstrap.ts'
import type { ComparedLatency } from './paired-samples.ts'

/**
 * What can be said of a change. `'regressed'`: it is beyond the tolerance, with 95 % confidence. `'held'`: it is within.
 * `'inconclusive'`: the sessions are too few, or too noisy, to tell.
 */
export type Outcome = 'regressed' | 'held' | 'inconclusive'

/**
 * Which figure of a latency is compared. `'typical'`: the geometric mean of each pair's ratio. `'tail'`: the same over the
 * heaviest fifth of the sessions. A percentile: the head's over the base's, which takes many more sessions to tell apart.
 */
export type ComparedFigure = 'typical' | 'tail' | `p${number}`

/** How much worse a figure may be. To regress it must be worse by more than both. */
export interface Tolerance {
  /** Share of the base: 0.05 is 5 %. */
  readonly relative: number
  readonly absoluteMs: number
}

/** One figure of a latency, on both sides. */
export interface LatencyChange {
  readonly kind: 'latency'
  readonly metric: ComparedLatency
  readonly figure: ComparedFigure
  readonly tolerance: Tolerance
  readonly outcome: Outcome
  /** Of `'typical'` and `'tail'` the geometric mean. `Infinity` where failures set it. */
  readonly baseMs: number
  readonly headMs: number
  /** 0.12: the head is 12 % slower. `NaN` where failures set both sides. */
  readonly change: number
  /** 95 %. */
  readonly interval: Interval
  /** The least true change that a comparison like this one would call a regression four times out of five. */
  readonly detectable: number
  /** How many pairs, of how many sessions. */
  readonly pairs: number
  readonly sessions: number
  /** Where inconclusive: a run of about how many sessions would decide it, if the estimate holds. `Infinity`: no number one would run. */
  readonly sessionsToDecide?: number
}

/** The session success rate, on both sides. */
export interface SuccessRateChange {
  readonly kind: 'success-rate'
  /** By how much it may drop: 0.01 is one point. */
  readonly tolerance: number
  readonly outcome: Outcome
  readonly base: number
  readonly head: number
  /** −0.03: three points lower. */
  readonly change: number
  readonly interval: Interval
  /** Sessions that succeeded on the base and not on the head, and the other way round. */
  readonly lost: number
  readonly gained: number
  /** Of the exact paired test: how probable so many lost sessions are if the head is no worse. */
  readonly probability: number
  /** The least drop, as a positive share, that so many sessions could have shown. */
  readonly detectable: number
  readonly sessions: number
  readonly sessionsToDecide?: number
}

export type Change = LatencyChange | SuccessRateChange
