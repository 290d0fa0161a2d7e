import { createDigest } from './digest.ts'
import type { RequestRecord, RunRecord, SessionRecord } from './records.ts'
import { requestRecord, runRecord, seededRandom, sessionRecord, stageRecord, unsentRecord } from './run-record.fixture.ts'

/** One session as a replay would have left it behind. */
export interface RandomSession {
  readonly session: SessionRecord
  readonly requests: readonly RequestRecord[]
  readonly gapsMs: readonly number[]
}

/**
 * A session of 1 to 12 calls over a random graph, some of which fail. Times are multiples of 1/64 ms, so that sums of them
 * carry no rounding and tests may ask for equality.
 */
export function randomSession(id: string, random: () => number, stage = 0): RandomSession {
  const upTo = (mostMs: number) => Math.floor(random() * mostMs * 64) / 64
  const startMs = upTo(1_000)
  const failureAt = random() < 0.2 ? Math.floor(random() * 12) : Number.POSITIVE_INFINITY
  const requests: RequestRecord[] = []
  const ends = new Map<string, number>()
  const gapsMs: number[] = []
  let failedAtMs = Number.POSITIVE_INFINITY
  const calls = 1 + Math.floor(random() * 12)
  for (let index = 0; index < calls; index++) {
    const call = `c${index}`
    const after = [...ends.keys()].filter(() => random() < 0.3)
    const common = { session: id, call, name: `step ${index}`, stage, after, plannedOutputTokens: random() < 0.5 ? null : 5 }
    const blocked = requests.some((request) => request.state !== 'succeeded' && random() < 0.9)
    const readyMs = after.reduce((latest, predecessor) => Math.max(latest, ends.get(predecessor) ?? 0), startMs)
    const waitMs = after.length === 0 ? 0 : upTo(500)
    const sentMs = readyMs + waitMs + upTo(20)
    if (blocked || sentMs > failedAtMs) {
      requests.push(unsentRecord(common))
      continue
    }
    const firstOutputMs = sentMs + upTo(800)
    const lastOutputMs = firstOutputMs + upTo(2_000)
    const sent = { ...common, readyMs, waitMs, sentMs, connectMs: 0 }
    if (index === failureAt) {
      failedAtMs = lastOutputMs
      const error = { label: random() < 0.5 ? 'http_503' : 'idle_timeout', message: 'busy', call }
      requests.push(
        requestRecord({ ...sent, state: 'failed', error, firstOutputMs: null, lastOutputMs: null, endMs: lastOutputMs }),
      )
      continue
    }
    const outputTokens = 2 + Math.floor(random() * 30)
    for (let gap = 1; gap < outputTokens; gap++) gapsMs.push((lastOutputMs - firstOutputMs) / (outputTokens - 1))
    const endMs = lastOutputMs + upTo(5)
    ends.set(call, endMs)
    requests.push(requestRecord({ ...sent, firstOutputMs, lastOutputMs, endMs, outputTokens, outputChunks: outputTokens }))
  }
  const failure = requests.find((request) => request.state === 'failed')
  const sentTimes = requests.flatMap(({ sentMs }) => (sentMs === null ? [] : [sentMs]))
  const endTimes = requests.flatMap(({ endMs }) => (endMs === null ? [] : [endMs]))
  const count = (state: RequestRecord['state']) => requests.filter((request) => request.state === state).length
  const session = sessionRecord({
    id,
    stage,
    state: failure === undefined ? 'succeeded' : 'failed',
    error: failure?.error ?? null,
    intendedMs: startMs,
    startMs: Math.min(...sentTimes),
    endMs: Math.max(...endTimes),
    calls: { succeeded: count('succeeded'), failed: count('failed'), cancelled: count('cancelled'), cutOff: 0 },
  })
  return { session, requests, gapsMs }
}

export function randomSessions(seed: number, count: number): RandomSession[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) => randomSession(`s${index}`, random, index % 3))
}

/** A run of three stages, the first a warm-up. */
export function runOfSessions(sessions: readonly RandomSession[], differs: Partial<RunRecord> = {}): RunRecord {
  const stages = [0, 1, 2].map((index) => {
    const digest = createDigest()
    for (const { session, gapsMs } of sessions) if (session.stage === index) for (const gapMs of gapsMs) digest.add(gapMs)
    return stageRecord({ index, warmup: index === 0, concurrentSessions: 8, interTokenLatency: digest.toRecord() })
  })
  return runRecord({
    stages,
    sessions: sessions.map(({ session }) => session),
    requests: sessions.flatMap(({ requests }) => requests),
    ...differs,
  })
}
