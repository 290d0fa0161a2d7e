import { inspect } from 'node:util'
import { atCaller, nearest, TraceReplayError } from '../base/index.ts'
import { resolveTarget, type Target, type TargetOptions } from '../endpoint/index.ts'
import { Run, type RunRecord } from '../metrics/index.ts'
import { comparisonTurns, type SideName, settleStages, type Turn } from './comparison-turns.ts'
import { type MeasuredTarget, Measurement, reachable } from './measurement.ts'
import type { ReplayOptions } from './options.ts'
import { planReplay, type ReplayPlan, type StagePlan } from './options-schema.ts'
import type { Progress } from './progress.ts'
import type { PlannedStage } from './run-stages.ts'

/** What to replay on both targets, and how. */
export interface CompareOptions extends Omit<ReplayOptions, 'target' | 'simulator'> {
  /** What is compared: `head` is the one under test, `base` what it is held against. */
  readonly targets: { readonly base: TargetOptions; readonly head: TargetOptions }
  /**
   * `'interleaved'`: the two take turns in blocks of sessions (base, head, head, base, …), so that each has the machine to
   * itself and what drifts weighs on both alike. `'simultaneous'`: both at once, for targets that share nothing.
   *
   * @default 'interleaved'
   */
  readonly schedule?: 'interleaved' | 'simultaneous'
}

/** The two runs of a comparison: `expect(head).not.toRegressFrom(base)`. */
export interface ComparedRuns {
  readonly base: Run
  readonly head: Run
}

/**
 * Replays the same sessions against two targets, to tell how they differ. Stages are bounded by `sessions` (or one pass over
 * the workload), never by `duration`: the faster target would get further.
 *
 * Where both are the same model on one server, each side's sessions get a marker of their own, so that the second side does
 * not find the first one's prompts in the prefix cache.
 *
 * @throws {TraceReplayError} `INVALID_OPTION`; `TARGET_UNREACHABLE`, naming the side; whatever reading the workload throws
 *
 * @example
 * const { base, head } = await compare({
 *   workload: traces('traces/*.json'),
 *   stages: [{ concurrentSessions: 10, sessions: 100 }],
 *   targets: {
 *     base: { kind: 'vllm', url: 'http://127.0.0.1:8000' },
 *     head: { kind: 'vllm', url: 'http://127.0.0.1:8001' },
 *   },
 * })
 * expect(head).not.toRegressFrom(base, { workflowLatency: { typical: '5%', tail: '10%' } })
 */
export function compare(options: CompareOptions): Promise<ComparedRuns> {
  return atCaller(compare, () => compareOnce(options))
}

async function compareOnce(options: CompareOptions): Promise<ComparedRuns> {
  const { targets, schedule, ...rest } = checkShape(options)
  const plan = planReplay(rest, { what: 'compare options', takes: ['targets', 'schedule'], sets: ['target', 'simulator'] })
  const base = resolveSide(targets.base, 'base')
  const head = resolveSide(targets.head, 'head')
  const shared = base.url === head.url && base.model === head.model
  const records = await compareTargets(plan, schedule, {
    base: reachable(base, shared ? 'base' : ''),
    head: reachable(head, shared ? 'head' : ''),
  })
  return { base: new Run(records.base), head: new Run(records.head) }
}

const SIDES = ['base', 'head'] as const satisfies readonly SideName[]
const SCHEDULES = ['interleaved', 'simultaneous'] as const
type Schedule = (typeof SCHEDULES)[number]

function checkShape(options: CompareOptions): ReplayOptions & { targets: CompareOptions['targets']; schedule: Schedule } {
  if (typeof options !== 'object' || options === null) {
    throw invalid(`expected an object with \`workload\`, \`stages\` and \`targets\`, not ${inspect(options)}.`)
  }
  for (const name of ['target', 'simulator']) {
    if (name in options) throw invalid(`\`${name}\` is not for comparisons. Give both sides: \`targets: { base, head }\`.`)
  }
  const { targets, schedule = 'interleaved' } = options
  for (const name of typeof targets === 'object' && targets !== null ? Object.keys(targets) : []) {
    if (SIDES.some((side) => side === name)) continue
    const close = nearest(name, SIDES)
    throw invalid(
      `unknown side \`targets.${name}\`. ${close === undefined ? `Known: ${SIDES.join(', ')}.` : `Did you mean \`${close}\`?`}`,
    )
  }
  for (const name of SIDES) {
    if (typeof targets?.[name] !== 'object' || targets[name] === null) {
      throw invalid(`\`targets.${name}\` is missing, expected a target such as { kind: 'vllm', url: 'http://127.0.0.1:8000' }.`)
    }
  }
  if (!SCHEDULES.includes(schedule))
    throw invalid(`\`schedule\` is ${inspect(schedule)}, expected 'interleaved' | 'simultaneous'.`)
  return { ...options, targets, schedule }
}

function resolveSide(options: TargetOptions, name: SideName): Target {
  try {
    return resolveTarget(options, process.env)
  } catch (error) {
    throw named(error, `targets.${name}`)
  }
}

type Sides<Value> = Readonly<Record<SideName, Value>>

/** @internal Takes the targets with their clocks, for tests in virtual time. */
export async function compareTargets(
  plan: ReplayPlan,
  schedule: Schedule,
  targets: Sides<MeasuredTarget>,
): Promise<Sides<RunRecord>> {
  const stages = await settleStages(plan)
  // A side that fails ends the other.
  const ending = new AbortController()
  const signal = plan.signal === undefined ? ending.signal : AbortSignal.any([plan.signal, ending.signal])
  const begin = (name: SideName) => new Measurement({ ...plan, name: `${plan.name} (${name})`, signal }, targets[name])
  const sides = { base: begin('base'), head: begin('head') }
  const take = async (side: SideName, turn: readonly PlannedStage[], onProgress: (progress: Progress) => void) => {
    try {
      if (!signal.aborted) await sides[side].run(turn, onProgress)
    } catch (error) {
      ending.abort()
      throw named(error, side)
    }
  }
  const failure = await (schedule === 'interleaved'
    ? inTurns(comparisonTurns(stages), take, plan.onProgress)
    : atOnce(stages, take, plan.onProgress)
  ).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  const records = { base: await sides.base.end(), head: await sides.head.end() }
  if (failure !== undefined) throw failure.error
  return records
}

type Take = (side: SideName, stages: readonly PlannedStage[], onProgress: (progress: Progress) => void) => Promise<void>

/** To who watches, each turn is a stage. */
async function inTurns(turns: readonly Turn[], take: Take, onProgress: ReplayPlan['onProgress']): Promise<void> {
  for (const [index, turn] of turns.entries()) {
    await take(turn.side, [turn], (progress) => onProgress?.({ ...progress, stage: index, stages: turns.length }))
  }
}

async function atOnce(stages: readonly StagePlan[], take: Take, onProgress: ReplayPlan['onProgress']): Promise<void> {
  const all = stages.map((plan, index) => ({ index, plan }))
  // Who watches sees the base run: the head is about as far.
  const results = await Promise.allSettled([take('base', all, (progress) => onProgress?.(progress)), take('head', all, () => {})])
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** Says which side an error is of. */
function named(error: unknown, name: string): unknown {
  if (!(error instanceof TraceReplayError)) return error
  const { code, message, cause } = error
  return new TraceReplayError(code, `${name}: ${message}`, cause === undefined ? {} : { cause })
}

function invalid(message: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', `compare options: ${message}`)
}
