import { isDeepStrictEqual } from 'node:util'
import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite } from 'vitest'
import type { Run } from '../metrics/index.ts'
import { RunEndedError } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'

interface SharedRun {
  readonly suite: RunnerTestSuite
  readonly scenario: Scenario
  readonly run: Promise<Run>
}

// Weak, and keyed by the file's own task: perf files may share a process, and a watch run has new tasks.
const sharedRuns = new WeakMap<RunnerTestFile, SharedRun[]>()

/**
 * The run of a scenario, shared by the tests that are given the same one: the same object anywhere in the file (an override
 * holds for nested suites too), or one of the same content in the same suite (an override by a function makes a new object
 * for each test).
 *
 * A run that failed is forgotten, so that the next test tries again; not so one that outlived its test, or each further
 * test would spend its whole timeout on it too. A retried or repeated test starts anew.
 */
export function shareRun(task: RunnerTestCase, scenario: Scenario, start: () => Promise<Run>): Promise<Run> {
  const suite = task.suite ?? task.file
  const runs = sharedRuns.get(task.file) ?? []
  sharedRuns.set(task.file, runs)
  const index = runs.findIndex((shared) => isSameScenario(shared, scenario, suite))
  const again = (task.result?.retryCount ?? 0) > 0 || (task.result?.repeatCount ?? 0) > 0
  const shared = runs[index]
  if (shared !== undefined && !again) return shared.run
  if (shared !== undefined) runs.splice(index, 1)
  const started: SharedRun = { suite, scenario, run: start() }
  runs.push(started)
  started.run.catch((error) => {
    if (error instanceof RunEndedError) return
    const failed = runs.indexOf(started)
    if (failed >= 0) runs.splice(failed, 1)
  })
  return started.run
}

function isSameScenario(shared: SharedRun, scenario: Scenario, suite: RunnerTestSuite): boolean {
  if (shared.scenario === scenario) return true
  if (shared.suite !== suite) return false
  const { workload: sharedWorkload, ...sharedRest } = shared.scenario
  const { workload, ...rest } = scenario
  return sharedWorkload?.name === workload?.name && isDeepStrictEqual(sharedRest, rest)
}
