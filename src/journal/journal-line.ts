import type { RequestList, RunRecord, SessionRecord } from '../metrics/index.ts'

/** What a run says of itself before anything has come of it. */
export type JournalFacts = Pick<RunRecord, 'version' | 'name' | 'startedAt' | 'target'> & {
  readonly workload: { readonly name: string }
  readonly stages: readonly JournalStage[]
}

export interface JournalStage {
  readonly index: number
  readonly warmup: boolean
  readonly concurrentSessions: number
  readonly sessionRate: number | null
}

/** One line of a journal: the run's facts first, then each session as it ends, at last what is known at the end alone. */
export type JournalLine =
  | { readonly run: JournalFacts }
  | { readonly session: SessionRecord; readonly requests?: RequestList }
  | { readonly end: Omit<RunRecord, 'sessions' | 'requests'> }
