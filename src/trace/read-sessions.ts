import { TraceReplayError, type Warn } from '../base/index.ts'
import type { Session } from '../message/index.ts'

/** A trace file as it lies on disk. */
export interface TraceFile {
  /** For messages and as `Session.source`; the kind of file is told from its content. */
  readonly name: string
  readonly bytes: Uint8Array
}

export interface ReadOptions {
  readonly warn: Warn
  /** `'fail'`: the first trace that cannot be read ends the reading. `'skip'`: it is left out, with a warning. */
  readonly onInvalidTrace: 'fail' | 'skip'
}

/**
 * Reads the sessions of one set of trace files.
 *
 * Files are pulled one by one. A file that is one session by itself is yielded as soon as it is read and not kept; sessions
 * that may be spread over files follow at the end, in the order of their first call.
 *
 * @throws {TraceReplayError} `UNREADABLE_TRACE`, `INVALID_TRACE`, `NO_LLM_CALLS`
 */
// biome-ignore lint/correctness/useYield: replaced by the reader in a moment
export function* readSessions(_files: Iterable<TraceFile>, _options: ReadOptions): Generator<Session> {
  throw new TraceReplayError('UNREADABLE_TRACE', 'Reading traces is not there yet.')
}
