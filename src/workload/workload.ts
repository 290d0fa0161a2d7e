import type { Warn } from '../base/index.ts'
import type { ReplayGraph } from '../graph/index.ts'

/** Where sessions come from. Lazy: sessions are read as they are drawn. */
export interface Workload {
  /** For reports: `traces/*.json`. */
  readonly name: string
  /** Recorded sessions in a fixed order. May be opened again; each time yields the same. */
  open(context: WorkloadContext): AsyncIterable<ReplayGraph>
}

export interface WorkloadContext {
  /** What relative paths are relative to. */
  readonly cwd: string
  readonly warn: Warn
  readonly onInvalidTrace: InvalidTracePolicy
  readonly signal?: AbortSignal
}

/** `'fail'`: the first trace that cannot be read ends the run. `'skip'`: it is counted and listed in the warnings. */
export type InvalidTracePolicy = 'fail' | 'skip'
