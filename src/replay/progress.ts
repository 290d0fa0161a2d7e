/** Where a run stands. */
export interface Progress {
  readonly stage: number
  readonly stages: number
  readonly warmup: boolean
  readonly elapsedMs: number
  readonly sessions: {
    /** Of this stage; `null` when it is bounded by time alone. */
    readonly total: number | null
    readonly inFlight: number
    readonly succeeded: number
    readonly failed: number
  }
  readonly requests: { readonly inFlight: number; readonly succeeded: number; readonly failed: number }
}
