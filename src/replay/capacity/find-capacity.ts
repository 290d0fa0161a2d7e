import { atCaller, TraceReplayError, type Warning } from '../../base/index.ts'
import { ExactDistribution, workflowLatencyMs } from '../../metrics/index.ts'
import { type Capacity, type CapacityPoint, type Level, searchCapacity } from '../../stats/index.ts'
import { countSessions } from '../comparison-turns.ts'
import { type MeasuredTarget, reachable } from '../measurement.ts'
import { planReplay, type ReplayPlan } from '../options-schema.ts'
import { openTarget } from '../replay.ts'
import { type LevelMeasurement, measureLevel } from './level.ts'
import { CAPACITY_CALLER, type CapacityPlan, type FindCapacityOptions, planCapacity } from './options.ts'

/**
 * Finds how many sessions at once a target bears within an SLO. Doubles the load until the SLO breaks, halves the gap until
 * it is small, then measures the edge again until it is certain. Each measurement keeps its number of sessions in flight
 * throughout, and ends as soon as it is clear that the SLO is not met.
 *
 * Each measurement's sessions carry a marker of its own, so that none finds the prompts of an earlier one in the server's
 * prefix cache.
 *
 * @returns what was found, also when `signal` or `maxDuration` ended the search: `outcome` tells
 * @throws {TraceReplayError} `INVALID_OPTION`; `TARGET_UNREACHABLE`; `NOT_GRADABLE` when the load client cannot keep up, or
 * no response carries what the SLO asks for; whatever reading the workload throws
 *
 * @example
 * const capacity = await findCapacity({
 *   workload: traces('traces/*.json'),
 *   target: { kind: 'vllm', url: 'http://127.0.0.1:8000' },
 *   slo: { sessionSuccessRate: 0.99, workflowLatency: { p95: '45s' } },
 *   concurrentSessions: { from: 10, to: 200 },
 * })
 * expect(capacity).toSustain({ concurrentSessions: 50 })
 */
export function findCapacity(options: FindCapacityOptions): Promise<Capacity> {
  return atCaller(findCapacity, () => findOnce(options))
}

async function findOnce(options: FindCapacityOptions): Promise<Capacity> {
  const { capacity, replay } = planCapacity(options)
  const { stages: _, ...plan } = planReplay({ ...replay, stages: [{ concurrentSessions: 1 }] }, CAPACITY_CALLER)
  const { target, close } = await openTarget(options)
  try {
    return await search(plan, capacity, (marker) => reachable(target, marker))
  } finally {
    await close()
  }
}

/** @internal Takes the target with its clock, for tests in virtual time. */
export async function search(
  plan: Omit<ReplayPlan, 'stages'>,
  { limits, bounds, sessions: asked, maxDurationMs }: CapacityPlan,
  targetFor: (cacheMarker: string) => MeasuredTarget,
): Promise<Capacity> {
  const sessions = asked ?? wholePasses(await countSessions(plan))
  const { clock } = targetFor('')
  const outOfTime = new AbortController()
  const timer = clock.after(maxDurationMs, () => outOfTime.abort())
  const signal = plan.signal === undefined ? outOfTime.signal : AbortSignal.any([plan.signal, outOfTime.signal])
  let count = 0
  const { onProgress } = plan
  try {
    const found = await searchCapacity(bounds, async (concurrentSessions) => {
      if (signal.aborted) return undefined
      const number = ++count
      const watched = onProgress && {
        onProgress: (progress: Parameters<typeof onProgress>[0]) =>
          onProgress({ ...progress, stage: number - 1, stages: number }),
      }
      const level = { concurrentSessions, sessions, limits, signal }
      const measured = await measureLevel({ ...plan, ...watched }, level, targetFor(`measurement ${number}`))
      if (measured !== undefined) refuseUngradable(measured, concurrentSessions)
      return measured
    })
    const reason = reasonOf(plan.signal, outOfTime.signal, maxDurationMs)
    return {
      name: plan.name,
      outcome: found.outcome,
      concurrentSessions: found.highestMet,
      lowestFailing: found.lowestFailed ?? null,
      range: { from: bounds.from, to: bounds.to },
      slo: limits.map(({ text }) => text),
      curve: found.levels.map(pointOf),
      warnings: warningsOf(found.levels.flatMap(({ measurements }) => measurements)),
      ...(found.outcome === 'unfinished' ? { unfinished: reason } : {}),
    }
  } finally {
    timer.cancel()
  }
}

const LEAST_SESSIONS = 100
const MOST_SESSIONS = 500

/** Each recorded session as often as any other, so that every measurement is of the same work, wherever it begins. */
function wholePasses(recorded: number): number {
  return Math.min(MOST_SESSIONS, Math.ceil(LEAST_SESSIONS / recorded) * recorded)
}

function refuseUngradable({ run, trials, cutShort }: LevelMeasurement, concurrentSessions: number): void {
  const { gradable } = run
  // Of a measurement that ended early there may be no session to judge, and need be none.
  if (!gradable.ok && !cutShort) {
    throw new TraceReplayError('NOT_GRADABLE', `At ${concurrentSessions} sessions at once ${gradable.reason}.`)
  }
  const empty = trials.find(({ samples }) => samples === 0)
  if (empty !== undefined && !cutShort) {
    throw new TraceReplayError('NOT_GRADABLE', `No response carried what the SLO asks for: ${empty.limit}.`)
  }
}

/** How a measurement is made, and that it is ended, is no news. */
const EXPECTED_WARNINGS = new Set(['run-aborted', 'workload-repeated', 'sessions-never-started'])

/** The same in each measurement: once is enough. */
function warningsOf(measurements: readonly LevelMeasurement[]): Warning[] {
  const all = measurements.flatMap(({ run }) => run.warnings).filter(({ code }) => !EXPECTED_WARNINGS.has(code))
  return [...new Map(all.map((warning) => [`${warning.code} ${warning.where ?? ''} ${warning.message}`, warning])).values()]
}

function reasonOf(user: AbortSignal | undefined, outOfTime: AbortSignal, maxDurationMs: number): string {
  if (user?.aborted === true) return 'it was aborted'
  return outOfTime.aborted
    ? `its maxDuration of ${Math.round(maxDurationMs / 1_000)} s had passed`
    : 'the edge moved with every measurement: the target is not the same from one to the next'
}

function pointOf({ concurrentSessions, measurements, trials, met, certain }: Level<LevelMeasurement>): CapacityPoint {
  const sessions = measurements.flatMap(({ run }) => run.sessions)
  const succeeded = sessions.filter(({ state }) => state === 'succeeded')
  const latencies = sessions.map((session) =>
    session.state === 'succeeded' ? (workflowLatencyMs(session) ?? 0) : Number.POSITIVE_INFINITY,
  )
  const p95 = new ExactDistribution(latencies).quantile(0.95)
  const seconds = measurements.reduce((sum, { windowMs }) => sum + windowMs, 0) / 1_000
  const total = (read: (ended: LevelMeasurement['ended']) => number | null) =>
    measurements.reduce((sum, { ended }) => sum + (read(ended) ?? 0), 0)
  return {
    concurrentSessions,
    measurements: measurements.length,
    sessions: sessions.length,
    met,
    certain,
    cutShort: measurements.some(({ cutShort }) => cutShort),
    sessionSuccessRate: sessions.length === 0 ? 0 : succeeded.length / sessions.length,
    workflowLatencyP95Ms: p95 === undefined || p95 === Number.POSITIVE_INFINITY ? null : p95,
    sessionsPerSecond: total((ended) => ended.sessions) / seconds,
    requestsPerSecond: total((ended) => ended.requests) / seconds,
    outputTokensPerSecond: measurements.some(({ ended }) => ended.outputTokens !== null)
      ? total((ended) => ended.outputTokens) / seconds
      : null,
    limits: trials.map(({ broken, tolerated, samples }) => ({
      broken: samples === 0 ? 0 : broken / samples,
      tolerated,
      samples,
    })),
  }
}
