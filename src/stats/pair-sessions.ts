import { TraceReplayError } from '../base/index.ts'
import type { Measured, RequestRecord, RunRecord, SessionRecord } from '../metrics/index.ts'

/** One recorded session as both sides replayed it. */
export interface SessionPair {
  readonly id: string
  /** `null`: that side never got to it before its stage ended. */
  readonly base: SessionRecord | null
  readonly head: SessionRecord | null
  readonly calls: readonly CallPair[]
  /** Recorded work: output tokens the recording says its calls had. Known before anything ran, the same for both sides. */
  readonly work: number
}

export interface CallPair {
  readonly base: RequestRecord | null
  readonly head: RequestRecord | null
}

/** A run, or a part of it, with the record it is taken from. */
export interface Side {
  readonly measured: Pick<Measured, 'sessions' | 'requests'>
  readonly record: Pick<RunRecord, 'workload' | 'stages' | 'policy'>
}

/**
 * The sessions of two runs, each beside its twin, in the order in which they were started.
 *
 * @throws {TraceReplayError} `NOT_GRADABLE` when the two did not replay the same sessions: what differs between them then
 * says nothing of their targets
 */
export function pairSessions(base: Side, head: Side): SessionPair[] {
  refuseOtherWorkload(base, head)
  refuseOtherPolicy(base, head)
  const headSessions = new Map(head.measured.sessions.map((session) => [session.id, session]))
  const ids = new Set([...base.measured.sessions, ...head.measured.sessions].map((session) => session.id))
  const baseSessions = new Map(base.measured.sessions.map((session) => [session.id, session]))
  const baseCalls = callsBySession(base.measured.requests)
  const headCalls = callsBySession(head.measured.requests)
  const missing = { base: 0, head: 0 }
  const pairs = Array.from(ids, (id): SessionPair => {
    const pair = { base: baseSessions.get(id) ?? null, head: headSessions.get(id) ?? null }
    if (pair.base === null) missing.base++
    if (pair.head === null) missing.head++
    const calls = pairCalls(baseCalls.get(id) ?? new Map(), headCalls.get(id) ?? new Map())
    return { id, ...pair, calls, work: recordedWork(calls) }
  })
  refuseOtherSessions(missing, base, head, ids.size)
  return pairs.sort((a, b) => startOf(a) - startOf(b) || (a.id < b.id ? -1 : 1))
}

function startOf({ base, head }: SessionPair): number {
  return (base ?? head)?.intendedMs ?? 0
}

function refuseOtherWorkload({ record: base }: Side, { record: head }: Side): void {
  if (base.workload.hash === head.workload.hash) return
  throw new TraceReplayError(
    'NOT_GRADABLE',
    `the two runs replayed different sessions: the contents of '${base.workload.name}' (${base.workload.hash.slice(0, 8)}) and '${head.workload.name}' (${head.workload.hash.slice(0, 8)}) are not the same. Compare runs of one workload`,
  )
}

/** What waits less, or carries other texts, is another run of the same sessions. Records of older versions do not say. */
function refuseOtherPolicy({ record: { policy: base } }: Side, { record: { policy: head } }: Side): void {
  if (base === undefined || head === undefined) return
  const [differing] = Object.entries(base).filter(([name, value]) => value !== head[name as keyof typeof head])
  if (differing === undefined) return
  const [name, value] = differing
  throw new TraceReplayError(
    'NOT_GRADABLE',
    `the two runs replayed their sessions differently: \`${name}\` was ${value} on the base and ${head[name as keyof typeof head]} on the head. Give both the same`,
  )
}

/** A stage that ended by its timeout leaves sessions out, which then count as not finished. Nothing else may. */
function refuseOtherSessions(missing: { base: number; head: number }, base: Side, head: Side, all: number): void {
  const baseExplained = missing.base === 0 || wasCutShort(base)
  const headExplained = missing.head === 0 || wasCutShort(head)
  if (baseExplained && headExplained) return
  throw new TraceReplayError(
    'NOT_GRADABLE',
    `the two runs replayed different sessions: of ${all} in all, the base run lacks ${missing.base} and the head run ${missing.head}. Give both the same stages, bounded by \`sessions\``,
  )
}

function wasCutShort({ record }: Side): boolean {
  return record.stages.some(({ neverStarted = 0 }) => neverStarted > 0)
}

function callsBySession(requests: readonly RequestRecord[]): Map<string, Map<string, RequestRecord>> {
  const sessions = new Map<string, Map<string, RequestRecord>>()
  for (const request of requests) {
    const calls = sessions.get(request.session)
    if (calls === undefined) sessions.set(request.session, new Map([[request.call, request]]))
    else calls.set(request.call, request)
  }
  return sessions
}

function pairCalls(base: ReadonlyMap<string, RequestRecord>, head: ReadonlyMap<string, RequestRecord>): CallPair[] {
  return Array.from(new Set([...base.keys(), ...head.keys()]), (id) => ({
    base: base.get(id) ?? null,
    head: head.get(id) ?? null,
  }))
}

function recordedWork(calls: readonly CallPair[]): number {
  let tokens = 0
  for (const { base, head } of calls) tokens += (base ?? head)?.plannedOutputTokens ?? 0
  return tokens
}

/**
 * The heaviest `share` of the sessions, at least one, by recorded work; where that is equal, by the number of calls. What
 * was measured has no part in it: to pick the sessions that were slow would pick noise.
 */
export function heaviest(pairs: readonly SessionPair[], share: number): SessionPair[] {
  const byWork = pairs.toSorted((a, b) => b.work - a.work || b.calls.length - a.calls.length || (a.id < b.id ? -1 : 1))
  return byWork.slice(0, Math.max(1, Math.round(pairs.length * share)))
}
