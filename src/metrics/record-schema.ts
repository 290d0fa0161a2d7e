import { z } from 'zod'
import { TraceReplayError } from '../base/index.ts'
import { compactRecord } from './compact-record.ts'
import type { RequestRecord, RunRecord, SessionRecord } from './records.ts'
import { RequestColumns } from './request-columns.ts'

const count = z.number().int().nonnegative()
const time = z.number()
const timeOrNull = time.nullable()
const countOrNull = z.number().nonnegative().nullable()
const states = ['succeeded', 'failed', 'cut-off'] as const
const text = z.string()
const texts = z.record(z.string(), z.string())

// Objects are loose: a field that a later version adds must survive being read and merged.
const error = z.looseObject({ label: text, message: text, call: text.optional() })

const centroids = z
  .array(z.tuple([z.number(), z.number().positive()]))
  .refine((list) => list.every(([mean], i) => i === 0 || mean >= (list[i - 1]?.[0] ?? mean)), {
    error: 'expected centroids in the order of their means',
  })
const digest = z.looseObject({ count: z.number().nonnegative(), min: timeOrNull, max: timeOrNull, centroids })

const stage = z.looseObject({
  index: count,
  warmup: z.boolean(),
  concurrentSessions: count,
  sessionRate: z.number().positive().nullable(),
  startMs: time,
  endMs: time,
  asked: z.looseObject({ sessions: countOrNull, durationMs: countOrNull }).optional(),
  neverStarted: count.optional(),
  interTokenLatency: digest,
  interTokenLatencyBy: z.array(z.looseObject({ model: text, name: text, agent: text.optional(), digest })).optional(),
})

const session = z.looseObject({
  id: text,
  recorded: text,
  source: text,
  stage: count,
  state: z.enum(states),
  intendedMs: time,
  startMs: timeOrNull,
  endMs: time,
  openLoop: z.literal(true).optional(),
  calls: z.looseObject({ succeeded: count, failed: count, cancelled: count, cutOff: count }),
  error: error.nullable(),
})

const request = z.looseObject({
  session: text,
  call: text,
  name: text,
  agent: text.optional(),
  labels: texts.optional(),
  model: text,
  stage: count,
  state: z.enum([...states, 'cancelled']),
  error: error.nullable(),
  after: z.array(text),
  readyMs: timeOrNull,
  waitMs: z.number().nonnegative(),
  sentMs: timeOrNull,
  connectMs: time,
  firstOutputMs: timeOrNull,
  lastOutputMs: timeOrNull,
  endMs: timeOrNull,
  outputChunks: count,
  inputTokens: countOrNull,
  outputTokens: countOrNull,
  cachedInputTokens: countOrNull,
  tokensEstimated: z.boolean(),
  plannedOutputTokens: countOrNull,
  splices: z.looseObject({ live: count, diverged: count }),
})

/** Of what this release writes, and the only one it reads. */
const VERSION = 1

const run = z.looseObject({
  version: z.literal(VERSION),
  name: text,
  startedAt: text.refine((value) => !Number.isNaN(Date.parse(value)), { error: 'expected a date' }),
  durationMs: z.number().nonnegative(),
  workload: z.looseObject({
    name: text,
    hash: text.regex(/^[0-9a-f]*$/, 'expected a hash'),
    recordedSessions: count,
    origin: texts.optional(),
  }),
  target: z.looseObject({ kind: text, url: text, model: text }),
  stages: z.array(stage),
  sessions: z.array(session),
  requests: z.array(request),
  client: z.looseObject({ eventLoopDelayMs: z.looseObject({ p50: time, p99: time, max: time }) }),
  warnings: z.array(z.looseObject({ code: text, message: text, where: text.optional(), count: count.optional() })),
  aborted: text.optional(),
})

/**
 * A run's record that came from outside: from a file, another process or another machine. Nothing but what holds against its
 * schema is handed on to be merged and judged.
 *
 * @param where what it was read from, for the error
 * @throws {TraceReplayError} `UNREADABLE_RECORD`, naming the first places that are wrong
 */
export function parseRunRecord(value: unknown, where: string): RunRecord {
  refuseOtherVersion(value, where)
  const { requests, ...rest } = check<RunRecord>(run, value, where)
  return compactRecord(rest, RequestColumns.of(requests))
}

/**
 * A record that another release wrote is whole all the same, and to be told from one that is broken.
 *
 * @param value a run's record, or the beginning of its journal
 * @throws {TraceReplayError} `UNREADABLE_RECORD`
 */
export function refuseOtherVersion(value: unknown, where: string): void {
  const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined
  if (typeof version !== 'number' || version === VERSION) return
  throw new TraceReplayError(
    'UNREADABLE_RECORD',
    `${where}: a record of version ${version}, expected version ${VERSION}. Read it with the release of vitest-trace-replay that wrote it.`,
  )
}

/** One session and its requests, likewise. */
export function parseSessionRecord(value: unknown, where: string): SessionRecord {
  return check<SessionRecord>(session, value, where)
}

export function parseRequestRecords(value: unknown, where: string): RequestRecord[] {
  return check<RequestRecord[]>(z.array(request), value, where)
}

/** A schema's optional fields may be `undefined`, which JSON has no word for. */
function check<Type>(schema: z.ZodType, value: unknown, where: string): Type {
  const result = schema.safeParse(value)
  if (result.success) return result.data as Type
  const problems = result.error.issues.slice(0, 3).map(({ path, message }) => `\`${path.map(String).join('.')}\`: ${message}`)
  throw new TraceReplayError('UNREADABLE_RECORD', `${where} is no record of a run: ${problems.join('; ')}.`)
}
