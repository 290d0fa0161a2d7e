import { fileURLToPath } from 'node:url'
import { configDefaults, type TestProjectInlineConfiguration } from 'vitest/config'
import type { Vite, Vitest } from 'vitest/node'
import { z } from 'zod'
import { checkOptions, type Duration, parseDuration } from '../base/index.ts'
import { callSite, presentError } from './present-error.ts'
import { checkProjectOptions, type ProjectOptions } from './project-options.ts'
import { TraceReplayReporter } from './reporter.ts'
import { workerHeapArgs } from './worker-heap.ts'
import './augmentation.ts'

export type { ProjectOptions } from './project-options.ts'

/** A replay takes minutes where a unit test takes milliseconds. */
const REPLAY_TIMEOUT_MS = 30 * 60_000
const HOOK_TIMEOUT_MS = 60_000

/** What Vitest resolves to where neither a file nor the command line sets one. */
const VITEST_TEST_TIMEOUT_MS = 5_000

// By its path: from a project's root the package's name may not resolve.
const setupFile = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './setup.ts' : './setup.js', import.meta.url))

/**
 * The Vite plugin: gives the tests of a project the matchers and the options, and Vitest the reporter. Most configurations
 * want {@link replayProject}, which contains it. A {@link replayTest} without a timeout of its own gets one of half an hour,
 * unless the configuration or the command line sets `testTimeout`; other tests keep Vitest's.
 *
 * @param options defaults for every scenario of the project
 * @throws {TraceReplayError} `INVALID_OPTION`
 *
 * @example
 * export default defineConfig({ plugins: [traceReplay({ timeScale: 0.1 })] })
 */
export function traceReplay(options: ProjectOptions = {}): Vite.Plugin {
  return presentingErrors(traceReplay, () => replayPlugin(checkProjectOptions(options, 'traceReplay(options)')))
}

function replayPlugin(options: ProjectOptions): Vite.Plugin {
  return {
    name: 'vitest-trace-replay',
    config({ test }) {
      const timeout = test?.testTimeout === undefined ? { replayTimeoutMs: REPLAY_TIMEOUT_MS } : {}
      return { test: { provide: { traceReplay: { options, ...timeout } } } }
    },
    configureVitest({ vitest, project }) {
      const { config } = project
      config.setupFiles.unshift(setupFile)
      const { replayTimeoutMs, ...provided } = config.provide.traceReplay ?? { options }
      // The command line's is seen only here.
      const isFree = replayTimeoutMs !== undefined && config.testTimeout === VITEST_TEST_TIMEOUT_MS
      project.provide('traceReplay', { ...provided, root: config.root, ...(isFree ? { replayTimeoutMs } : {}) })
      addReporter(vitest)
    },
  }
}

/** {@link replayProject}'s options: defaults for every scenario, and what the Vitest project is. */
export interface ReplayProjectOptions extends ProjectOptions {
  /** Globs of the test files. @default ['**\/*.perf.ts'] */
  readonly include?: readonly string[] | undefined
  /** Globs of files to leave out, beside Vitest's own. @default [] */
  readonly exclude?: readonly string[] | undefined
  /** The project's name, as in `vitest --project perf`. @default 'perf' */
  readonly name?: string | undefined
  /** How long a test, and the run it starts, may take. @default the root configuration's `testTimeout`, else '30m' */
  readonly testTimeout?: Duration | undefined
}

const DEFAULT_INCLUDE = ['**/*.perf.ts']

const projectSchema = z.object({
  include: z.array(z.string().min(1)).min(1).optional(),
  exclude: z.array(z.string().min(1)).optional(),
  name: z.string().min(1).optional(),
})

/** Vitest runs groups one after the other. Each of these projects is one, so that no two load anything at once. */
let groups = 0

/**
 * A Vitest project for performance tests. It inherits the root configuration, less its `include`; its files run one after
 * the other, never beside another project's, and no test is retried: load that meets other load measures nothing. Its
 * processes start with `--initial-old-space-size=128`, unless `execArgv` says how large the heap is: V8 then stops for a full
 * collection of garbage, 10 to 15 ms, a tenth as often.
 *
 * @throws {TraceReplayError} `INVALID_OPTION`
 *
 * @example
 * export default defineConfig({ test: { projects: [
 *   { test: { name: 'unit', include: ['src/**\/*.test.ts'] } },
 *   replayProject({ include: ['**\/*.perf.ts'], timeScale: 0.1 }),
 * ] } })
 */
export function replayProject(options: ReplayProjectOptions = {}): TestProjectInlineConfiguration {
  const what = 'replayProject(options)'
  const { include = DEFAULT_INCLUDE, exclude, name = 'perf', testTimeout, ...defaults } = options
  const { checked, timeoutMs } = presentingErrors(replayProject, () => {
    checkOptions(projectSchema, { include, exclude, name }, what)
    return {
      checked: checkProjectOptions(defaults, what, [...projectSchema.keyof().options, 'testTimeout']),
      timeoutMs: testTimeout === undefined ? undefined : parseDuration(testTimeout, `${what}: \`testTimeout\``),
    }
  })
  groups += 1
  return {
    extends: true,
    plugins: [projectDefaults([...include]), replayPlugin(checked)],
    test: {
      name: { label: name, color: 'magenta' },
      ...(exclude === undefined ? {} : { exclude: [...configDefaults.exclude, ...exclude] }),
      ...(timeoutMs === undefined ? {} : { testTimeout: timeoutMs }),
      fileParallelism: false,
      isolate: false,
      sequence: { groupOrder: groups },
      retry: 0,
    },
  }
}

/** What depends on the root configuration that the project inherits. */
function projectDefaults(include: string[]): Vite.Plugin {
  return {
    name: 'vitest-trace-replay:project',
    config({ test = {} }) {
      // Vitest adds the root's globs to the project's, which would make unit tests performance tests.
      test.include = include
      return {
        test: {
          testTimeout: test.testTimeout ?? REPLAY_TIMEOUT_MS,
          hookTimeout: test.hookTimeout ?? HOOK_TIMEOUT_MS,
        },
      }
    },
    configureVitest({ project: { config } }) {
      config.execArgv.push(...workerHeapArgs(config.pool, config.execArgv))
    },
  }
}

/** An error in a configuration, too, is its message at the user's line. */
function presentingErrors<Value>(api: CallableFunction, compute: () => Value): Value {
  try {
    return compute()
  } catch (error) {
    throw presentError(error, callSite(api))
  }
}

function addReporter({ config }: Vitest): void {
  const { reporters }: { reporters: unknown[] } = config
  // By name: a configuration that bundles this package has a class of its own each time it is read.
  const isOurs = (reporter: unknown) => reporter instanceof Object && reporter.constructor.name === TraceReplayReporter.name
  if (!reporters.some(isOurs)) reporters.push(new TraceReplayReporter())
}
