import type { RunnerTestCase } from 'vitest'
import { type AskedVerdict, type RunSummary, summarizeRun } from '../report/index.ts'
import type { KnownRun } from './run-registry.ts'

/** What a test's meta carries from its worker to the reporter: plain data, and small. */
export interface TaskRecord {
  readonly runs: readonly RecordedRun[]
  readonly verdicts: readonly RecordedVerdict[]
}

/** A retried test keeps its meta; what earlier attempts left in it does not count. */
interface Attempt {
  readonly repeat: number
  readonly retry: number
}

interface RecordedRun extends Attempt {
  /** The same for all tests that share the run. */
  readonly id: string
  readonly summary: RunSummary
}

interface RecordedVerdict extends Attempt, AskedVerdict {
  readonly run: string
}

/** Adds a run, and verdicts on it, to what the reporter will know of the test. */
export function recordOnTask(task: RunnerTestCase, { id, run }: KnownRun, verdicts: readonly AskedVerdict[]): void {
  const attempt = { repeat: task.result?.repeatCount ?? 0, retry: task.result?.retryCount ?? 0 }
  const counts = (recorded: Attempt) => recorded.repeat !== attempt.repeat || recorded.retry === attempt.retry
  const runs = task.meta.traceReplay?.runs.filter(counts) ?? []
  const known = runs.some((recorded) => recorded.id === id)
  task.meta.traceReplay = {
    runs: known ? runs : [...runs, { ...attempt, id, summary: summarizeRun(run) }],
    verdicts: [
      ...(task.meta.traceReplay?.verdicts.filter(counts) ?? []),
      ...verdicts.map((asked) => ({ ...attempt, run: id, ...asked })),
    ],
  }
}
