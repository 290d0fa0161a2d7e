import { z } from 'zod'
import { checkOptions, parseDuration, TraceReplayError } from '../base/index.ts'
import { resolveTarget, type TargetOptions } from '../endpoint/index.ts'
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
  | 'includeConnect'
  | 'labels'
  | 'threads'
  | 'journal'

// The replay holds the values against its own schema, in the test; here it is about names and about plain data.
const projectOptionsSchema = z.strictObject({
  target: z.unknown().optional(),
  simulator: z.looseObject({}).optional(),
  timeScale: z.number().nonnegative().optional(),
  maxWait: z.union([z.number(), z.string()]).optional(),
  substitute: z.enum(['live', 'recorded']).optional(),
  onMalformedToolCall: z.enum(['use-recorded', 'send', 'fail']).optional(),
  onCallFailure: z.enum(['cancel-session', 'cancel-dependents']).optional(),
  onInvalidTrace: z.enum(['fail', 'skip']).optional(),
  isolateCache: z.enum(['duplicates', 'all', 'none']).optional(),
  stream: z.boolean().optional(),
  includeConnect: z.boolean().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  threads: z.union([z.number(), z.literal('auto')]).optional(),
  journal: z.union([z.boolean(), z.looseObject({})]).optional(),
} satisfies Record<ProjectOption, z.ZodType>)

/** Options that exist, but only in a scenario: the error says so instead of calling them unknown. */
const SCENARIO_ONLY = ['workload', 'stages', 'name', 'signal', 'onProgress', 'cwd']

/**
 * @param what names the call as the user wrote it: `'traceReplay(options)'`
 * @param others names of options that the caller takes and has checked itself
 * @returns the options less those that are `undefined`
 * @throws {TraceReplayError} `INVALID_OPTION`
 */
export function checkProjectOptions(options: object, what: string, others: readonly string[] = []): ProjectOptions {
  const own = SCENARIO_ONLY.find((name) => typeof options === 'object' && options !== null && name in options)
  if (own !== undefined) throw invalid(`${what}: \`${own}\` cannot be set for a whole project. ${IN_THE_SCENARIO}`)
  const checked = checkOptions(projectOptionsSchema, options, what, [...others, ...projectOptionsSchema.keyof().options])
  const alien = findAlien(options, '')
  if (alien !== undefined) {
    throw invalid(
      `${what}: \`${alien.path}\` is ${alien.found}. Project options are sent to Vitest's workers, so they must be plain data (text, numbers, booleans, arrays, objects). ${IN_THE_SCENARIO}`,
    )
  }
  const { target, simulator, maxWait } = checked
  if (maxWait !== undefined) parseDuration(maxWait, `${what}: \`maxWait\``)
  if (target !== undefined) {
    if (simulator !== undefined) throw invalid(`${what}: \`target\` and \`simulator\` exclude each other. Leave one out.`)
    // For its errors: here they come before any test does.
    resolveTarget(target as TargetOptions, {})
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

const IN_THE_SCENARIO = 'Put it in the scenario, the second argument of replayTest.'

function invalid(message: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', message)
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
