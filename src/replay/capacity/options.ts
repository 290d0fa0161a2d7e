import { z } from 'zod'
import { checkOptions, type Duration, parseDuration, TraceReplayError } from '../../base/index.ts'
import type { SearchBounds } from '../../stats/index.ts'
import type { ReplayOptions } from '../options.ts'
import type { ReplayCaller } from '../options-schema.ts'
import { type CapacitySlo, parseSlo, type SloLimit } from './slo.ts'

/** What to replay, what it must keep to, and where to look for the most sessions at once that do. */
export interface FindCapacityOptions extends Omit<ReplayOptions, 'stages' | 'duplicateTo' | 'journal'> {
  readonly slo: CapacitySlo
  /** Where to look. Each number of sessions is in flight throughout its measurement: one that ends makes room for the next. */
  readonly concurrentSessions: { readonly from: number; readonly to: number }
  /**
   * Sessions measured at each level, beside those that bring the load up and keep it there.
   *
   * @default whole passes over the workload, at least 100 sessions, at most 500
   */
  readonly sessions?: number
  /** The search ends when the lowest failing level is at most this share above the highest passing one. @default 0.05 */
  readonly precision?: number
  /** How often a level at the edge is measured at most; fewer where once is enough to be certain. @default 3 */
  readonly repeats?: number
  /** The search ends with what it knows after this long. @default '30m' */
  readonly maxDuration?: Duration
}

export interface CapacityPlan {
  readonly limits: readonly SloLimit[]
  readonly bounds: SearchBounds
  /** `null`: by the size of the workload. */
  readonly sessions: number | null
  readonly maxDurationMs: number
}

const MOST_MEASUREMENTS = 60

const schema = z.strictObject({
  concurrentSessions: z
    .strictObject(
      { from: z.int().positive(), to: z.int().positive() },
      { error: 'expected a range such as { from: 10, to: 200 }' },
    )
    .refine(({ from, to }) => from <= to, { error: '`from` must not be greater than `to`' }),
  sessions: z.int().positive().optional(),
  precision: z.number().positive().max(1).default(0.05),
  repeats: z.int().positive().default(3),
  maxDuration: z.union([z.number(), z.string()], { error: "expected milliseconds or text such as '30m'" }).default('30m'),
})

const SET_BY_SEARCH = ['stages', 'duplicateTo', 'journal']

export const CAPACITY_CALLER: ReplayCaller = {
  what: 'findCapacity options',
  takes: ['slo', ...schema.keyof().options],
  sets: SET_BY_SEARCH,
}

/** Takes the search's own options out; the rest are those of a replay. */
export function planCapacity(options: FindCapacityOptions): { capacity: CapacityPlan; replay: Omit<ReplayOptions, 'stages'> } {
  if (typeof options !== 'object' || options === null) {
    throw new TraceReplayError(
      'INVALID_OPTION',
      'findCapacity options: expected an object with `workload`, `slo` and `concurrentSessions`.',
    )
  }
  const { slo, concurrentSessions, sessions, precision, repeats, maxDuration, ...replay } = options
  for (const name of SET_BY_SEARCH) {
    if (name in replay) {
      throw new TraceReplayError(
        'INVALID_OPTION',
        `findCapacity options: \`${name}\` is set by the search.${name === 'stages' ? ' Say where to look: `concurrentSessions: { from: 10, to: 200 }`.' : ''}`,
      )
    }
  }
  const search = checkOptions(schema, { concurrentSessions, sessions, precision, repeats, maxDuration }, 'findCapacity options')
  return {
    capacity: {
      limits: parseSlo(slo),
      bounds: {
        ...search.concurrentSessions,
        precision: search.precision,
        repeats: search.repeats,
        mostMeasurements: MOST_MEASUREMENTS,
      },
      sessions: search.sessions ?? null,
      maxDurationMs: parseDuration(search.maxDuration, 'findCapacity options: `maxDuration`'),
    },
    // Dozens of measurements would push the journals of other runs out.
    replay: { ...replay, journal: false },
  }
}
