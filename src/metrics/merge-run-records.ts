import { TraceReplayError, type Warning } from '../base/index.ts'
import { compactRecord } from './compact-record.ts'
import { mergeDigests } from './digest.ts'
import type { ClientRecord, GapsRecord, RequestRecord, RunRecord, SessionRecord, StageRecord, WorkloadRecord } from './records.ts'
import { RequestColumns } from './request-columns.ts'
import { worstDelay } from './worst-delay.ts'

/**
 * One run out of the parts that threads, shards or machines replayed at the same time: sessions and requests together on one
 * time line, stages of equal index as one (their loads add up), sketches by their centroids. The order of the parts does
 * not matter, save that the first gives the name and the target.
 *
 * @throws {TraceReplayError} `NOT_GRADABLE` without a part, or when two parts hold the same session
 */
export function mergeRunRecords(parts: readonly RunRecord[]): RunRecord {
  const [first] = parts
  if (first === undefined) throw new TraceReplayError('NOT_GRADABLE', 'There is no run to merge.')
  if (parts.length === 1) return first

  const earliest = parts.reduce((a, b) => (Date.parse(b.startedAt) < Date.parse(a.startedAt) ? b : a))
  const shifted = parts.map((part) => shift(part, Date.parse(part.startedAt) - Date.parse(earliest.startedAt)))
  const sessions = shifted.flatMap((part) => part.sessions).sort(byEnd)
  refuseRepeated(sessions)
  const aborted = parts.find((part) => part.aborted !== undefined)?.aborted
  const merged: Omit<RunRecord, 'requests'> = {
    version: 1,
    name: first.name,
    startedAt: earliest.startedAt,
    durationMs: Math.max(...shifted.map((part) => part.durationMs)),
    workload: mergeWorkloads(parts, sessions),
    target: first.target,
    ...(first.policy === undefined ? {} : { policy: first.policy }),
    stages: mergeStages(shifted),
    sessions,
    client: {
      eventLoopDelayMs: worstDelay(parts.map((part) => part.client.eventLoopDelayMs)),
      ...mergeMachines(parts),
    },
    warnings: foldWarnings([...parts.flatMap((part) => part.warnings), ...differingTargets(parts)]),
    ...mergeServers(shifted),
    ...(aborted === undefined ? {} : { aborted }),
  }
  return compactRecord(merged, RequestColumns.of(shifted.flatMap((part) => part.requests).sort(byEndOfRequest)))
}

function mergeMachines(parts: readonly RunRecord[]): Pick<ClientRecord, 'machine'> {
  const machines = new Set(parts.flatMap(({ client: { machine } }) => machine ?? []))
  return machines.size === 0 ? {} : { machine: [...machines].sort().join(' + ') }
}

/** The parts look at one server: the one that looked most often stands for all. */
function mergeServers(parts: readonly RunRecord[]): Pick<RunRecord, 'server'> {
  const servers = parts.flatMap((part) => part.server ?? [])
  const [first, ...rest] = servers
  if (first === undefined) return {}
  return { server: rest.reduce((most, server) => (server.samples.length > most.samples.length ? server : most), first) }
}

/** Threads of one run share their start; machines do not, and only their wall clocks relate them. */
function shift(part: RunRecord, byMs: number): RunRecord {
  if (byMs === 0) return part
  const later = (time: number | null) => (time === null ? null : time + byMs)
  return {
    ...part,
    durationMs: part.durationMs + byMs,
    ...(part.server === undefined
      ? {}
      : { server: { samples: part.server.samples.map((sample) => ({ ...sample, atMs: sample.atMs + byMs })) } }),
    stages: part.stages.map((stage) => ({ ...stage, startMs: stage.startMs + byMs, endMs: stage.endMs + byMs })),
    sessions: part.sessions.map((session) => ({
      ...session,
      intendedMs: session.intendedMs + byMs,
      startMs: later(session.startMs),
      endMs: session.endMs + byMs,
    })),
    requests: part.requests.map((request) => ({
      ...request,
      readyMs: later(request.readyMs),
      sentMs: later(request.sentMs),
      firstOutputMs: later(request.firstOutputMs),
      lastOutputMs: later(request.lastOutputMs),
      endMs: later(request.endMs),
    })),
  }
}

function refuseRepeated(sessions: readonly SessionRecord[]): void {
  const seen = new Set<string>()
  for (const { stage, id } of sessions) {
    const key = `${stage} ${id}`
    if (seen.has(key)) {
      throw new TraceReplayError(
        'NOT_GRADABLE',
        `Session '${id}' is in two of the runs to merge. Each part of a run holds sessions of its own: was one of them given twice, or did two shards replay the same sessions?`,
      )
    }
    seen.add(key)
  }
}

function mergeStages(parts: readonly RunRecord[]): StageRecord[] {
  const groups = new Map<number, [StageRecord, ...StageRecord[]]>()
  for (const stage of parts.flatMap((part) => part.stages)) {
    const group = groups.get(stage.index)
    if (group === undefined) groups.set(stage.index, [stage])
    else group.push(stage)
  }
  return [...groups.values()].map(mergeStage).sort((a, b) => a.index - b.index)
}

function mergeStage(stages: readonly [StageRecord, ...StageRecord[]]): StageRecord {
  const [{ index, warmup }] = stages
  const neverStarted = stages.reduce((sum, stage) => sum + (stage.neverStarted ?? 0), 0)
  const rates = stages.map((stage) => stage.sessionRate)
  return {
    index,
    warmup,
    // No limit in one part is no limit in the whole; likewise a rate.
    concurrentSessions: stages.some((stage) => stage.concurrentSessions === 0)
      ? 0
      : stages.reduce((sum, stage) => sum + stage.concurrentSessions, 0),
    sessionRate: rates.reduce((sum, rate) => (sum === null || rate === null ? null : sum + rate)),
    startMs: Math.min(...stages.map((stage) => stage.startMs)),
    endMs: Math.max(...stages.map((stage) => stage.endMs)),
    ...mergeAsked(stages),
    ...(neverStarted === 0 ? {} : { neverStarted }),
    interTokenLatency: mergeDigests(stages.map((stage) => stage.interTokenLatency)),
    ...mergeGaps(stages),
  }
}

/** Sessions add up, where every part was asked for a number of them; the time is the same for all. */
function mergeAsked(stages: readonly StageRecord[]): Pick<StageRecord, 'asked'> {
  const asked = stages.flatMap((stage) => stage.asked ?? [])
  const [first] = asked
  if (first === undefined || asked.length < stages.length) return {}
  const sessions = asked.map((part) => part.sessions).reduce((sum, part) => (sum === null || part === null ? null : sum + part))
  return { asked: { ...first, sessions } }
}

/** Only where every part that has gaps says what they are of. */
function mergeGaps(stages: readonly StageRecord[]): Pick<StageRecord, 'interTokenLatencyBy'> {
  const groups = new Map<string, [GapsRecord, ...GapsRecord[]]>()
  for (const { interTokenLatency, interTokenLatencyBy } of stages) {
    if (interTokenLatency.count === 0) continue
    if (interTokenLatencyBy === undefined) return {}
    for (const gaps of interTokenLatencyBy) {
      const key = JSON.stringify([gaps.model, gaps.name, gaps.agent])
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [gaps])
      else group.push(gaps)
    }
  }
  const merged = [...groups.values()].map(([first, ...rest]) => ({
    ...first,
    digest: mergeDigests([first, ...rest].map(({ digest }) => digest)),
  }))
  return merged.length === 0 ? {} : { interTokenLatencyBy: merged }
}

function mergeWorkloads(parts: readonly RunRecord[], sessions: readonly SessionRecord[]): WorkloadRecord {
  const workloads = parts.map((part) => part.workload)
  return {
    name: workloads[0]?.name ?? '',
    hash: addHashes(new Set(workloads.map((workload) => workload.hash))),
    // Each part may know the whole corpus, or only its own share of it.
    recordedSessions: Math.max(
      ...workloads.map((workload) => workload.recordedSessions),
      new Set(sessions.map((session) => session.recorded)).size,
    ),
  }
}

/** Parts that drew from one corpus share its hash; others are added, modulo 2¹²⁸, so that their order does not matter. */
function addHashes(hashes: ReadonlySet<string>): string {
  const [only] = hashes
  if (only !== undefined && hashes.size === 1) return only
  let sum = 0n
  for (const hash of hashes) sum = BigInt.asUintN(128, sum + BigInt(`0x${hash}`))
  return sum.toString(16).padStart(32, '0')
}

function differingTargets(parts: readonly RunRecord[]): Warning[] {
  const targets = new Set(parts.map(({ target: { kind, model } }) => `${kind} ${model}`))
  if (targets.size < 2) return []
  return [{ code: 'targets-differ', message: `The merged parts ran against different targets: ${[...targets].join(', ')}.` }]
}

function foldWarnings(warnings: readonly Warning[]): Warning[] {
  const folded = new Map<string, Warning>()
  for (const warning of warnings) {
    const key = JSON.stringify([warning.code, warning.where, warning.message])
    const known = folded.get(key)
    folded.set(key, known === undefined ? warning : { ...known, count: (known.count ?? 1) + (warning.count ?? 1) })
  }
  return [...folded.values()]
}

function byEnd(a: SessionRecord, b: SessionRecord): number {
  return a.endMs - b.endMs || compareText(a.id, b.id)
}

/** In the order they ended; those never sent stand last. */
function byEndOfRequest(a: RequestRecord, b: RequestRecord): number {
  const aEndMs = a.endMs ?? Number.MAX_VALUE
  const bEndMs = b.endMs ?? Number.MAX_VALUE
  return aEndMs - bEndMs || compareText(a.session, b.session) || compareText(a.call, b.call)
}

/** By code units: the same on every machine, unlike `localeCompare`. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
