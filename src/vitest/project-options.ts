import { z } from 'zod'
import { checkOptions, parseDuration, TraceReplayError } from '../base/index.ts'
import type { ReplayOptions } from '../replay/index.ts'

/**
 * Defaults for every scenario of a Vitest project. They cross from Vitest's process into its workers, so they are plain
 * data: a workload, a filter or anything else with a function in it belongs in the test's own scenario.
 */
export type ProjectOptions = {
  readonly [Option in ProjectOption]?: ReplayOptions[Option] | undefined
}

type ProjectOption =
  | 'target'
  | 'simulator'
  | 'timeScale'
  | 'maxWait'
  | 'substitute'
  | 'onMalformedToolCall'
  | 'onCallFailure'
  | 'onInvalidTrace'
  | 'isolateCache'
  | 'stream'

// The replay holds the values against its own schema, in the test; here it is about names and about plain data.
const projectOptionsSchema = z.strictObject({
  target: z.looseObject({ kind: z.string(), url: z.string() }).optional(),
  simulator: z.looseObject({}).optional(),
  timeScale: z.number().nonnegative().optional(),
  maxWait: z.union([z.number(), z.string()]).optional(),
  substitute: z.enum(['live', 'recorded']).optional(),
  onMalformedToolCall: z.enum(['use-recorded', 'send', 'fail']).optional(),
  onCallFailure: z.enum(['cancel-session', 'cancel-dependents']).optional(),
  onInvalidTrace: z.enum(['fail', 'skip']).optional(),
  isolateCache: z.enum(['duplicates', 'all', 'none']).optional(),
  stream: z.boolean().optional(),
} satisfies Record<ProjectOption, z.ZodType>)

/** Options that exist, but only in a scenario: the error says so instead of calling them unknown. */
const SCENARIO_ONLY = ['workload', 'stages', 'name', 'signal', 'onProgress', 'cwd']

/**
 * @param what names the call as the user wrote it: `'traceReplay(options)'`
 * @returns the options less those that are `undefined`
 * @throws {TraceReplayError} `INVALID_OPTION`
 */
export function checkProjectOptions(options: object, what: string): ProjectOptions {
  for (const name of SCENARIO_ONLY) {
    if (name in options) {
      throw new TraceReplayError(
        'INVALID_OPTION',
        `${what}: \`${name}\` cannot be set for a whole project. Put it in the scenario, the second argument of replayTest.`,
      )
    }
  }
  const { maxWait } = checkOptions(projectOptionsSchema, options, what)
  if (maxWait !== undefined) parseDuration(maxWait, `${what}: \`maxWait\``)
  const alien = findAlien(options, '')
  if (alien !== undefined) {
    throw new TraceReplayError(
      'INVALID_OPTION',
      `${what}: \`${alien.path}\` is ${alien.found}. Project options are sent to Vitest's workers, so they must be plain data (text, numbers, booleans, arrays, objects). Put it in the scenario, the second argument of replayTest.`,
    )
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

/** The first value that is not plain data, by its path. */
function findAlien(value: unknown, path: string, above: readonly object[] = []): { path: string; found: string } | undefined {
  switch (typeof value) {
    case 'function':
      return { path, found: 'a function' }
    case 'symbol':
    case 'bigint':
      return { path, found: `a ${typeof value}` }
    case 'object': {
      if (value === null) return undefined
      if (above.includes(value)) return { path, found: 'a reference to an object around it' }
      const prototype: unknown = Object.getPrototypeOf(value)
      if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value)) {
        return { path, found: `an instance of ${value.constructor?.name || 'a class'}` }
      }
      for (const [key, inner] of Object.entries(value)) {
        const name = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
        const alien = findAlien(inner, name, [...above, value])
        if (alien !== undefined) return alien
      }
      return undefined
    }
    default:
      return undefined
  }
}
