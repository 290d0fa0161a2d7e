import type { TestContext } from 'vitest'
import type { Run } from '../metrics/index.ts'
import { replay } from '../replay/index.ts'
import { moveTo, presentError } from './present-error.ts'
import { progressRecorder } from './progress-artifact.ts'
import { providedOptions } from './provided-options.ts'
import { knowRun } from './run-registry.ts'
import { mergeScenario, type Scenario } from './scenario.ts'
import { recordOnTask } from './task-record.ts'

/** The test that had started the run ended, by its timeout say, before the run did. */
export class RunEndedError extends Error {
  override readonly name: string = 'RunEndedError'

  constructor(testName: string) {
    super(
      `The run ended before its time, together with the test that had started it: "${testName}". Give that test a longer timeout, or the run less to do.`,
    )
  }
}

/** The part of a test's context that a run needs. */
export type RunningTest = Pick<TestContext, 'task' | 'signal' | 'onTestFinished'>

/**
 * Replays a scenario on behalf of a test: its timeout ends the run, its reporter sees the progress, and the test does not
 * end before every socket is closed.
 *
 * @param name for a scenario without a name of its own
 * @param callSite the user's code that asked for the run, for the stack of an error
 * @throws {RunEndedError} when the test ended first: a run that was cut off is not to be judged
 */
export async function runScenario(test: RunningTest, scenario: Scenario, name: string, callSite = ''): Promise<Run> {
  const { task } = test
  const ending = endWith(test)
  try {
    const options = { name, ...mergeScenario(scenario, providedOptions()), signal: ending.signal }
    const id = crypto.randomUUID()
    const running = replay({ ...options, ...progressRecorder(task, id, options.name) })
    ending.waitFor(running)
    const run = await running
    recordOnTask(task, knowRun(run, task, id), [])
    if (!ending.signal.aborted) return run
  } catch (error) {
    if (!ending.signal.aborted) throw presentError(error, callSite)
  }
  throw moveTo(callSite, new RunEndedError(task.name))
}

/** A signal that aborts when the test is aborted or ends. */
function endWith({ signal, onTestFinished }: RunningTest) {
  const controller = new AbortController()
  // On a retry after a timeout Vitest 4 hands out the signal of the first attempt, aborted for good.
  if (!signal.aborted) signal.addEventListener('abort', () => controller.abort(firstLine(signal.reason)), { once: true })
  return {
    signal: controller.signal,
    /** Holds the test's end until the run has ended. */
    waitFor(running: Promise<unknown>) {
      onTestFinished(async () => {
        controller.abort(new Error('the test that started it has ended'))
        await running.catch(() => {})
      })
    },
  }
}

/** Vitest's timeout error goes on with advice, which the test's failure gives already. */
function firstLine(reason: unknown): unknown {
  return reason instanceof Error ? new Error(reason.message.split('\n')[0]) : reason
}
