import type { Over } from './distribution.ts'

/** One SLO held against one figure of a run. Plain JSON. */
export interface SloVerdict {
  /** `'toHaveWorkflowLatency'` */
  readonly matcher: string
  /** The figure, as a reader would say it: `'workflow latency p95'`. */
  readonly label: string
  /** `null` is infinitely slow, as JSON has no `Infinity`; either may be given. Meaningless when `samples` is 0. */
  readonly observed: number | null
  readonly limit: number
  readonly unit: SloUnit
  /** A ceiling holds when `observed ≤ limit`, a floor when `observed ≥ limit`. */
  readonly direction: 'ceiling' | 'floor'
  readonly pass: boolean
  /** The samples are too few, or too noisy, to tell on which side of the limit it truly is. */
  readonly inconclusive?: boolean
  /** How many sessions, requests or gaps the figure is taken over. */
  readonly samples: number
  /** What was counted, for the reader. @default 'sessions' */
  readonly sampled?: 'sessions' | 'requests' | 'gaps'
  /** Which quantile of a distribution it is, where it is one; the maximum is 1. */
  readonly quantile?: number
  /** Whether failures count in it. @default 'all' */
  readonly over?: Over
  /** The same figure over the successful alone, where failures count in `observed`. */
  readonly successful?: number | null
  /** Stage the figure belongs to; absent for the whole run. */
  readonly stage?: number
  /** The part of the run, or of the stage, that it is taken over: `{ label: 'plan' }`. Absent for the whole. */
  readonly where?: string
  /** What the limit was derived from: `'baseline 2.5s +15%'`. */
  readonly basis?: string
  /** In place of how far it is from its limit, where something else decides. */
  readonly margin?: string
  readonly note?: string
}

/**
 * `'ms'` a duration, `'rate'` a share between 0 and 1, `'/s'` something per second, `'tokens'` a number of tokens, `'change'`
 * a share by which something grew (0.05 is +5 %), `'points'` the difference of two shares (−0.01 is a point less).
 */
export type SloUnit = 'ms' | 'rate' | '/s' | 'tokens' | 'change' | 'points'
