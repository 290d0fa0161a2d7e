import { resolve } from 'node:path'
import { TraceReplayError } from '../base/index.ts'
import type { ReplayOptions } from '../replay/index.ts'
import type { ProvidedOptions } from './provided-options.ts'

/**
 * What a test replays: {@link ReplayOptions} less what Vitest governs. What it leaves out comes from the project
 * ({@link ProjectOptions}), then from the defaults.
 */
export type Scenario = Omit<ReplayOptions, 'signal' | 'onProgress' | 'onWorkloadProgress'>

/** Set by the test itself: its timeout and its reporter. */
const GOVERNED_BY_VITEST = ['signal', 'onProgress', 'onWorkloadProgress']

/**
 * @param provided the project's options, `undefined` when the plugin is not in use
 * @throws {TraceReplayError} `INVALID_OPTION`
 */
export function mergeScenario(scenario: Scenario, provided: ProvidedOptions | undefined): Scenario {
  for (const name of GOVERNED_BY_VITEST) {
    if (name in scenario) {
      throw new TraceReplayError(
        'INVALID_OPTION',
        `replay options: \`${name}\` is set by Vitest. Call replay() yourself to set your own.`,
      )
    }
  }
  const root = provided?.root ?? process.cwd()
  const merged = { ...provided?.options, ...withoutUndefined(scenario) }
  // They exclude each other: whichever the scenario names replaces both of the project's.
  if (scenario.target !== undefined && scenario.simulator === undefined) delete merged.simulator
  if (scenario.simulator !== undefined && scenario.target === undefined) delete merged.target
  return { ...merged, cwd: scenario.cwd === undefined ? root : resolve(root, scenario.cwd) } as Scenario
}

/** `{ target: undefined }` is as good as no target: it must not hide the project's. */
function withoutUndefined(scenario: Scenario): { -readonly [Option in keyof Scenario]?: Scenario[Option] } {
  return Object.fromEntries(Object.entries(scenario).filter(([, value]) => value !== undefined))
}
