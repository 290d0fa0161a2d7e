import { afterAll, test as base, type TestAPI, TestRunner } from 'vitest'
import { TraceReplayError } from '../base/index.ts'
import type { Run } from '../metrics/index.ts'
import { callSite, presentError } from './present-error.ts'
import { knowRun } from './run-registry.ts'
import { type RunningTest, runScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'
import { shareRun } from './shared-run.ts'

export interface ReplayFixtures {
  /** What to replay. Set it with `test.override('scenario', { … })`, in a `describe` or for the whole file. */
  scenario: Scenario | undefined
  /** The run of the scenario: replayed once, when the first test asks for it, and shared by all that do. */
  run: Run
}

export type ReplayTestAPI = TestAPI<ReplayFixtures>

/**
 * Vitest's `test` with two more fixtures, for several tests over one run. The first test that asks for the run starts it:
 * its timeout and its reporter line are the run's.
 *
 * @example
 * describe('PR review agents', () => {
 *   test.override('scenario', { workload: traces('traces/*.json'), stages: [{ concurrentSessions: 20 }] })
 *
 *   test('succeed', ({ run }) => expect(run).toHaveSessionSuccessRate(0.99))
 *   test('are quick', ({ run }) => expect(run).toHaveWorkflowLatency({ p95: '45s' }))
 * })
 */
export const test: ReplayTestAPI = defineTest()

/** Where a scenario was set, for the stack of an error. */
const setAt = new WeakMap<object, string>()

function defineTest(): ReplayTestAPI {
  let extended: ReplayTestAPI
  try {
    extended = base.extend<ReplayFixtures>({
      scenario: undefined,
      run: async ({ scenario, task, signal, onTestFinished }, use) => {
        await use(await runOf(scenario, { task, signal, onTestFinished }))
      },
    })
  } catch (error) {
    // The package is loaded outside of test files too: by a script, by Vitest's configuration.
    return unavailable(error)
  }
  extended.override = watchOverrides(extended)
  return extended
}

async function runOf(scenario: unknown, test: RunningTest): Promise<Run> {
  if (!isScenario(scenario)) {
    const found =
      scenario === undefined ? 'no scenario' : `a scenario that is ${scenario === null ? 'null' : `a ${typeof scenario}`}`
    throw presentError(
      new TraceReplayError(
        'INVALID_OPTION',
        `The test asks for a run, but has ${found}. Set one for the file or the suite: test.override('scenario', { workload: traces('traces/*.json'), stages: [{ concurrentSessions: 20 }] })`,
      ),
    )
  }
  const name = test.task.suite?.name || scenario.workload?.name
  const run = await shareRun(test.task, scenario, () => runScenario(test, scenario, name, setAt.get(scenario)))
  knowRun(run, test.task)
  return run
}

function isScenario(value: unknown): value is Scenario {
  return typeof value === 'object' && value !== null
}

/**
 * Notes where a scenario was set. And takes an override at the top of a file back when the file ends: it changes `test`
 * itself, so that where files share a process one file's scenario would be the next file's too.
 */
function watchOverrides(extended: ReplayTestAPI): ReplayTestAPI['override'] {
  const original = extended.override as (...args: unknown[]) => ReplayTestAPI
  const override = (...args: unknown[]): ReplayTestAPI => {
    const scenario = args[0] === 'scenario' ? args[1] : (args[0] as Partial<ReplayFixtures> | undefined)?.scenario
    if (isScenario(scenario)) setAt.set(scenario, callSite(override))
    const { suite } = TestRunner.getCurrentSuite()
    const isTopLevel = suite === undefined || suite === suite.file
    if (isTopLevel) afterAll(() => void original.call(extended, { scenario: undefined }))
    return original.apply(extended, args)
  }
  return override as ReplayTestAPI['override']
}

function unavailable(cause: unknown): ReplayTestAPI {
  const refuse = () => {
    throw new Error('`test` of vitest-trace-replay is used outside of a Vitest test file.', { cause })
  }
  return new Proxy(refuse as unknown as ReplayTestAPI, { get: refuse })
}
