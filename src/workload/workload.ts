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
  /** Told which data the sessions come from, before the first of them: for the record of the run. */
  readonly onOrigin?: (origin: WorkloadOrigin) => void
  /** Called a few times a second while data is fetched. Without it a line per file goes to stderr. */
  readonly onProgress?: (progress: WorkloadProgress) => void
}

/** A data set, pinned: with `commit` as its revision it yields the same sessions at any time. */
export interface WorkloadOrigin {
  readonly kind: 'hugging-face'
  /** `owner/name` */
  readonly dataset: string
  /** As asked for: a branch, a tag or a commit. */
  readonly revision: string
  /** What it stood for when the workload was opened. */
  readonly commit: string
  /** Where a person finds it, without credentials. */
  readonly url: string
}

/** How far a file has been fetched. */
export interface WorkloadProgress {
  /** Of one file, relative to its data set. */
  readonly file: string
  /** `owner/name` */
  readonly dataset: string
  readonly doneBytes: number
  readonly totalBytes: number
}

/** `'fail'`: the first trace that cannot be read ends the run. `'skip'`: it is counted and listed in the warnings. */
export type InvalidTracePolicy = 'fail' | 'skip'
