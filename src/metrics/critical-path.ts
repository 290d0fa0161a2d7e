import type { ErrorRecord, RequestRecord, RequestState, SessionRecord, SessionState } from './records.ts'

/** Where a stretch of time went, in milliseconds. The four add up to the stretch. */
export interface TimeSplit {
  /** Queue + prefill: request sent → first output. */
  readonly prefillMs: number
  /** First output → end of the stream. */
  readonly decodeMs: number
  /** Recorded wait, as planned for the run. */
  readonly waitMs: number
  /** The client's own: schedule lag and connecting. */
  readonly lagMs: number
}

/** One call of the critical path, with the wait before it. */
export interface PathStep extends TimeSplit {
  readonly call: string
  readonly name: string
  readonly model: string
  readonly state: RequestState
}

/** The chain of calls and waits that set a session's latency. */
export interface SessionBreakdown {
  readonly session: string
  readonly source: string
  readonly state: SessionState
  /** Workflow latency; for a session that did not succeed the time from its first call sent to its failure. */
  readonly latencyMs: number
  readonly split: TimeSplit
  /** From the first call to the one that ended last, or failed. */
  readonly path: readonly PathStep[]
  /** The failure that ended the session, with its call. */
  readonly error: ErrorRecord | null
}

export function breakDownSession(session: SessionRecord, _requests: readonly RequestRecord[]): SessionBreakdown {
  const split = { prefillMs: 0, decodeMs: 0, waitMs: 0, lagMs: 0 }
  const { id, source, state, error } = session
  return { session: id, source, state, latencyMs: session.endMs - (session.startMs ?? session.endMs), split, path: [], error }
}
