import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { checkOptions, type Duration, parseDuration, TraceReplayError } from '../base/index.ts'
import type { JournalOptions } from '../journal/index.ts'
import type { CorpusOrder, InvalidTracePolicy, IsolateCache, Workload, WorkloadProgress } from '../workload/index.ts'
import type { ReplayOptions, StageOptions } from './options.ts'
import type { Progress } from './progress.ts'

/** Options after validation: every default filled in, every duration in milliseconds. */
export interface ReplayPlan {
  readonly name: string
  readonly workload: Workload
  readonly stages: readonly StagePlan[]
  readonly policy: CallPolicy
  readonly onInvalidTrace: InvalidTracePolicy
  readonly isolateCache: IsolateCache
  readonly order: CorpusOrder
  readonly threads: number
  readonly cwd: string
  /** `null`: none is kept. */
  readonly journal: JournalOptions | null
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  readonly onWorkloadProgress?: (progress: WorkloadProgress) => void
}

/** What holds for every call of a run. */
export interface CallPolicy {
  readonly timeScale: number
  readonly maxWaitMs: number
  readonly substitute: 'live' | 'recorded'
  readonly onMalformedToolCall: 'use-recorded' | 'send' | 'fail'
  readonly onCallFailure: 'cancel-session' | 'cancel-dependents'
  readonly stream: boolean
  readonly includeConnect: boolean
  /** Label → the span attribute it takes its value from. */
  readonly labels?: Readonly<Record<string, string>>
}

export interface StagePlan {
  /** Its highest in a ramp; `Infinity` where the option says 0. */
  readonly concurrentSessions: number
  /** How it gets there; `null`: it is there from the start. */
  readonly ramp: { readonly from: number; readonly to: number; readonly overMs: number } | null
  /** `null`: one pass over the workload, or as many as fit into `durationMs`. */
  readonly sessions: number | null
  readonly sessionRate: number | null
  readonly arrivals: 'fixed' | 'poisson'
  readonly durationMs: number | null
  readonly timeoutMs: number | null
  readonly warmup: boolean
}

const MOST_THREADS = 64

const duration = z.union([z.number(), z.string()], { error: "expected milliseconds or text such as '45s'" })

function instance<Type>(what: string, test: (value: object) => boolean) {
  return z.custom<Type>((value) => typeof value === 'object' && value !== null && test(value), `expected ${what}`)
}

const rampSchema = z.strictObject({ from: z.int().positive(), to: z.int().positive(), over: duration })

const stageSchema = z.strictObject({
  concurrentSessions: z.union([z.int().nonnegative(), rampSchema], {
    error: "expected a whole number of sessions, or a ramp such as { from: 1, to: 50, over: '2m' }",
  }),
  sessions: z.int().positive().optional(),
  sessionRate: z.number().positive().optional(),
  arrivals: z.enum(['fixed', 'poisson']).optional(),
  duration: duration.optional(),
  timeout: duration.optional(),
  warmup: z.boolean().optional(),
})

const replaySchema = z.strictObject({
  name: z.string().optional(),
  workload: instance<Workload>("a workload such as traces('traces/*.json')", (value) => 'open' in value && 'name' in value),
  // The endpoint and the simulator check their own options.
  target: z.looseObject({}).optional(),
  simulator: z.looseObject({}).optional(),
  stages: z
    .array(stageSchema)
    .min(1, 'expected at least one stage')
    .refine((stages) => stages.length === 0 || stages.some(({ warmup }) => warmup !== true), {
      error: "all are warm-ups, which a run's figures leave out: add a stage to measure",
    }),
  timeScale: z.number().nonnegative().optional(),
  maxWait: duration.optional(),
  substitute: z.enum(['live', 'recorded']).optional(),
  onMalformedToolCall: z.enum(['use-recorded', 'send', 'fail']).optional(),
  onCallFailure: z.enum(['cancel-session', 'cancel-dependents']).optional(),
  onInvalidTrace: z.enum(['fail', 'skip']).optional(),
  threads: z
    .union([z.int().min(1).max(MOST_THREADS), z.literal('auto')], {
      error: `expected a whole number from 1 to ${MOST_THREADS}, or 'auto'`,
    })
    .optional(),
  duplicateTo: z.int().positive().optional(),
  shuffle: z.int().optional(),
  isolateCache: z.enum(['duplicates', 'all', 'none']).optional(),
  stream: z.boolean().optional(),
  includeConnect: z.boolean().optional(),
  labels: z.record(z.string(), z.string().min(1, 'expected the name of a span attribute')).optional(),
  journal: z
    .union([z.boolean(), z.strictObject({ folder: z.string().min(1).optional(), requests: z.boolean().optional() })], {
      error: 'expected true, false or { folder, requests }',
    })
    .optional(),
  signal: instance<AbortSignal>('an AbortSignal', (value) => 'aborted' in value).optional(),
  onProgress: z.custom<(progress: Progress) => void>((value) => typeof value === 'function', 'expected a function').optional(),
  onWorkloadProgress: z
    .custom<(progress: WorkloadProgress) => void>((value) => typeof value === 'function', 'expected a function')
    .optional(),
  cwd: z.string().optional(),
})

const DEFAULT_MAX_WAIT = '15s'

/** Who has a replay planned, where it is not `replay()`: options of its own, already taken out, and those it sets itself. */
export interface ReplayCaller {
  readonly what: string
  readonly takes: readonly string[]
  readonly sets: readonly string[]
}

/**
 * @throws {TraceReplayError} `INVALID_OPTION`, naming the option, what was found and what was expected
 */
export function planReplay(
  options: ReplayOptions,
  { what, takes, sets }: ReplayCaller = { what: 'replay options', takes: [], sets: [] },
): ReplayPlan {
  const known = [...takes, ...replaySchema.keyof().options.filter((name) => !sets.includes(name))]
  const checked = checkOptions(replaySchema, options, what, known)
  const { workload, signal, onProgress, onWorkloadProgress, cwd = process.cwd() } = checked
  return {
    name: checked.name ?? workload.name,
    workload,
    stages: checked.stages.map((stage, index) => planStage(stage as StageOptions, `stages[${index}]`)),
    policy: {
      timeScale: checked.timeScale ?? 1,
      maxWaitMs: parseDuration(checked.maxWait ?? DEFAULT_MAX_WAIT, 'maxWait'),
      substitute: checked.substitute ?? 'live',
      onMalformedToolCall: checked.onMalformedToolCall ?? 'use-recorded',
      onCallFailure: checked.onCallFailure ?? 'cancel-session',
      stream: checked.stream ?? true,
      includeConnect: checked.includeConnect ?? false,
      ...(checked.labels === undefined ? {} : { labels: checked.labels }),
    },
    onInvalidTrace: checked.onInvalidTrace ?? 'fail',
    isolateCache: checked.isolateCache ?? 'duplicates',
    threads: checked.threads === 'auto' ? Math.max(1, availableParallelism() - 1) : (checked.threads ?? 1),
    order: { duplicateTo: checked.duplicateTo ?? null, shuffleSeed: checked.shuffle ?? null },
    cwd,
    journal: planJournal(checked.journal, cwd),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(onWorkloadProgress === undefined ? {} : { onWorkloadProgress }),
  }
}

function planStage(stage: StageOptions, where: string): StagePlan {
  if (stage.arrivals !== undefined && stage.sessionRate === undefined) {
    throw new TraceReplayError(
      'INVALID_OPTION',
      `${where}.arrivals says how sessions arrive, but not how many. Set \`sessionRate\`, the sessions per second, or leave \`arrivals\` out.`,
    )
  }
  return {
    ...planConcurrency(stage.concurrentSessions, `${where}.concurrentSessions`),
    sessions: stage.sessions ?? null,
    sessionRate: stage.sessionRate ?? null,
    arrivals: stage.arrivals ?? 'fixed',
    durationMs: positive(stage.duration, `${where}.duration`),
    timeoutMs: positive(stage.timeout, `${where}.timeout`),
    warmup: stage.warmup ?? false,
  }
}

function planConcurrency(
  sessions: StageOptions['concurrentSessions'],
  where: string,
): Pick<StagePlan, 'concurrentSessions' | 'ramp'> {
  if (typeof sessions === 'number')
    return { concurrentSessions: sessions === 0 ? Number.POSITIVE_INFINITY : sessions, ramp: null }
  const { from, to, over } = sessions
  return { concurrentSessions: Math.max(from, to), ramp: { from, to, overMs: parseDuration(over, `${where}.over`) } }
}

const JOURNAL_FOLDER = '.trace-replay'

function planJournal(
  option: boolean | { folder?: string | undefined; requests?: boolean | undefined } | undefined,
  cwd: string,
): JournalOptions | null {
  if (option === false) return null
  const { folder = JOURNAL_FOLDER, requests = true } = typeof option === 'object' ? option : {}
  return { folder: resolve(cwd, folder), requests }
}

/** Zero switches a bound off, as it does for timeouts. */
function positive(value: Duration | undefined, where: string): number | null {
  const parsed = value === undefined ? 0 : parseDuration(value, where)
  return parsed === 0 ? null : parsed
}
