import type { RunnerTestCase } from 'vitest'
import type { Run } from '../metrics/index.ts'

/** What the matchers and the reporter know of a run beyond its figures. */
export interface KnownRun {
  readonly id: string
  readonly run: Run
  /** Tests that were given the run, the latest last. */
  readonly tasks: Set<RunnerTestCase>
}

// Weak, and keyed by object: perf files may share a process, and a run must not outlive its tests.
const knownRuns = new WeakMap<Run, KnownRun>()

/** Makes a run known as one that `task` was given. */
export function knowRun(run: Run, task: RunnerTestCase, id: string = crypto.randomUUID()): KnownRun {
  const known = knownRuns.get(run) ?? { id, run, tasks: new Set() }
  known.tasks.delete(task)
  known.tasks.add(task)
  knownRuns.set(run, known)
  return known
}

/** `undefined` for a run that no test was given. */
export function knownRun(run: Run): KnownRun | undefined {
  return knownRuns.get(run)
}
