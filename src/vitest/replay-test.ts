import { test as base, type TestContext, type TestOptions, vi } from 'vitest'
import { TraceReplayError } from '../base/index.ts'
import type { Run } from '../metrics/index.ts'
import { callSite, moveTo } from './present-error.ts'
import { providedOptions } from './provided-options.ts'
import { runScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'

/** Vitest's test context, and the run. */
export type ReplayTestContext = TestContext & { readonly run: Run }

export type ReplayTestFunction = (context: ReplayTestContext) => void | Promise<void>

/**
 * Defines one test that replays one scenario.
 *
 * @param name the test's name, and the scenario's in reports unless it has its own
 * @param scenario what to replay; what it leaves out comes from the project's options, then from the defaults
 * @param fn judges the run. Without it the test holds the run to what every scenario should: it can carry a verdict, and
 * every session succeeds
 * @param options Vitest's options for a test, or its timeout in milliseconds. The timeout ends the run. @default the
 * project's `testTimeout`, else half an hour
 */
export type ReplayTestCall = (name: string, scenario: Scenario, fn?: ReplayTestFunction, options?: number | TestOptions) => void

export interface ReplayTest extends ReplayTestCall {
  readonly only: ReplayTestCall
  readonly skip: ReplayTestCall
  readonly fails: ReplayTestCall
  todo(name: string): void
  skipIf(condition: unknown): ReplayTestCall
  runIf(condition: unknown): ReplayTestCall
}

type DefineTest = (name: string, options: TestOptions, fn: (context: TestContext) => Promise<void>) => void

/**
 * A test of one scenario: recorded sessions, replayed under load, judged by matchers.
 *
 * @example
 * replayTest('PR review agents, 20 at once', {
 *   workload: traces('traces/*.json'),
 *   stages: [{ concurrentSessions: 20, sessions: 100 }],
 * }, ({ run }) => {
 *   expect(run).toHaveSessionSuccessRate(0.99)
 *   expect(run).toHaveWorkflowLatency({ p95: '45s' })
 * })
 */
export const replayTest: ReplayTest = Object.assign(via(base), {
  only: via(base.only),
  skip: via(base.skip),
  fails: via(base.fails),
  todo: (name: string) => base.todo(name),
  skipIf: (condition: unknown) => via(base.skipIf(condition)),
  runIf: (condition: unknown) => via(base.runIf(condition)),
})

function via(defineTest: DefineTest): ReplayTestCall {
  // A helper in Vitest's sense: stacks that Vitest takes for a test's place start at its caller.
  const replayTest: ReplayTestCall = vi.defineHelper((name, scenario, fn, options) => {
    if (typeof scenario !== 'object' || scenario === null) {
      throw new TraceReplayError(
        'INVALID_OPTION',
        `replayTest(${JSON.stringify(name)}): the second argument is the scenario, an object with \`workload\` and \`stages\`.`,
      )
    }
    const definedAt = callSite(replayTest)
    const judge = fn ?? successJudge(definedAt)
    // Chained, not awaited: the stack of an error in the user's function then has no frame from here.
    defineTest(name, testOptions(options), (context) =>
      runScenario(context, scenario, name, definedAt)
        .then((run) => withRun(context, run))
        .then(judge),
    )
  })
  return replayTest
}

function successJudge(definedAt: string): ReplayTestFunction {
  return ({ run, expect }) => {
    try {
      expect(run).toHaveSessionSuccessRate(1)
    } catch (error) {
      throw error instanceof Error ? moveTo(definedAt, error) : error
    }
  }
}

function testOptions(options: number | TestOptions = {}): TestOptions {
  if (typeof options === 'number') return { timeout: options }
  const timeout = options.timeout ?? providedOptions()?.replayTimeoutMs
  return timeout === undefined ? options : { ...options, timeout }
}

/** A context of its own: properties of Vitest's are getters, which a copy would freeze. */
function withRun(context: TestContext, run: Run): ReplayTestContext {
  return Object.create(context, { run: { value: run, enumerable: true } })
}
