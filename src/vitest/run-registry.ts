import type { RunnerTestCase } from 'vitest'
import type { Run } from '../metrics/index.ts'
import type { Receiver } from './matchers/receiver.ts'

/** What the matchers and the reporter know of a run beyond its figures. */
export interface KnownRun {
  readonly id: string
  readonly run: Run
  /** Tests that were given the run, the latest last. */
  readonly tasks: Set<RunnerTestCase>
}

// Weak, and keyed by object: perf files may share a process, and a run must not outlive its tests.
const knownRuns = new WeakMap<Receiver, KnownRun>()

/** Makes a run, and each of its stages, known as one that `task` was given. */
export function knowRun(run: Run, task: RunnerTestCase, id: string = crypto.randomUUID()): KnownRun {
  const known = knownRuns.get(run) ?? { id, run, tasks: new Set() }
  known.tasks.delete(task)
  known.tasks.add(task)
  for (const receiver of [run, ...run.stages]) knownRuns.set(receiver, known)
  return known
}

/** The run that a receiver is, or is a stage of. `undefined` for a stage of a run that no test was given. */
export function knownRun(receiver: Receiver): KnownRun | undefined {
  return knownRuns.get(receiver)
}
