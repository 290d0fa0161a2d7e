/**
 * The one error class users meet. `code` is stable and part of the API; `message` is written for the person who reads it:
 * where (file, span, option), what was found, what was expected, what to do.
 */
export class TraceReplayError extends Error {
  override readonly name: string = 'TraceReplayError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/**
 * - `INVALID_OPTION` an option, stage field or duration that cannot be used
 * - `NO_TRACE_FILES` a path or glob that matches nothing
 * - `UNREADABLE_TRACE` a file that cannot be opened, is empty, cut off or not a known container
 * - `NO_LLM_CALLS` a trace file without a single LLM call
 * - `INVALID_TRACE` a span whose content cannot be read
 * - `EMPTY_WORKLOAD` a workload (or a stage's slice of it) without a session
 * - `TARGET_UNREACHABLE` the inference server cannot be used at all (refused connection, wrong path, missing model)
 * - `NOT_GRADABLE` a run that cannot carry a verdict
 * - `UNREADABLE_RECORD` a run's record or journal that is missing or is none
 * - `HUB` a data set that cannot be had from the Hugging Face Hub or its cache, or put there
 * - `CAPTURE` the receiver of traces could not start, or has nowhere to write
 * - `SIMULATOR` the embedded simulator could not start
 */
export type ErrorCode =
  | 'INVALID_OPTION'
  | 'NO_TRACE_FILES'
  | 'UNREADABLE_TRACE'
  | 'NO_LLM_CALLS'
  | 'INVALID_TRACE'
  | 'EMPTY_WORKLOAD'
  | 'TARGET_UNREACHABLE'
  | 'NOT_GRADABLE'
  | 'UNREADABLE_RECORD'
  | 'HUB'
  | 'CAPTURE'
  | 'SIMULATOR'
