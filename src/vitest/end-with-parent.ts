const END = Symbol.for('vitest-trace-replay.end-with-parent')

/** The part of a process that this is about. */
export interface WorkerProcess {
  once(event: 'disconnect', listener: () => void): unknown
  exit(code: number): unknown
  [END]?: true
}

/**
 * Ends a worker process whose Vitest is gone: killed, say, or told to end by a CI system that signals it alone. Nobody would
 * hear of its results any more, and without this its load would be on the server until the last session has ended.
 */
export function endWithParent(worker: WorkerProcess): void {
  // Once in each process, however many test files it runs and however often this module is loaded for them.
  if (worker[END] === true) return
  worker[END] = true
  worker.once('disconnect', () => worker.exit(1))
}
