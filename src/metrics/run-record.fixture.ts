import { createDigest, EMPTY_DIGEST } from './digest.ts'
import type { DigestRecord, RequestRecord, RunRecord, SessionRecord, StageRecord } from './records.ts'

/** A request that went well: sent at 0, first output after 200 ms, 11 tokens in 11 chunks, one every 20 ms. */
export function requestRecord(differs: Partial<RequestRecord> = {}): RequestRecord {
  return {
    session: 'a',
    call: 'c1',
    name: 'chat',
    model: 'm',
    stage: 0,
    state: 'succeeded',
    error: null,
    after: [],
    readyMs: 0,
    waitMs: 0,
    sentMs: 0,
    connectMs: 0,
    firstOutputMs: 200,
    lastOutputMs: 400,
    endMs: 410,
    outputChunks: 11,
    inputTokens: 100,
    outputTokens: 11,
    cachedInputTokens: null,
    tokensEstimated: false,
    plannedOutputTokens: 11,
    splices: { live: 0, diverged: 0 },
    ...differs,
  }
}

/** A request that was never sent. */
export function unsentRecord(differs: Partial<RequestRecord> = {}): RequestRecord {
  return requestRecord({
    state: 'cancelled',
    readyMs: null,
    sentMs: null,
    firstOutputMs: null,
    lastOutputMs: null,
    endMs: null,
    outputChunks: 0,
    inputTokens: null,
    outputTokens: null,
    ...differs,
  })
}

/** A session of one call that went well. */
export function sessionRecord(differs: Partial<SessionRecord> = {}): SessionRecord {
  const id = differs.id ?? 'a'
  return {
    id,
    recorded: id,
    source: `${id}.json`,
    stage: 0,
    state: 'succeeded',
    intendedMs: 0,
    startMs: 0,
    endMs: 410,
    calls: { succeeded: 1, failed: 0, cancelled: 0, cutOff: 0 },
    error: null,
    ...differs,
  }
}

export function stageRecord(differs: Partial<StageRecord> = {}): StageRecord {
  return {
    index: 0,
    warmup: false,
    concurrentSessions: 4,
    sessionRate: null,
    startMs: 0,
    endMs: 1_000,
    interTokenLatency: EMPTY_DIGEST,
    ...differs,
  }
}

export function runRecord(differs: Partial<RunRecord> = {}): RunRecord {
  return {
    version: 1,
    name: 'support agents',
    startedAt: '2026-03-01T10:00:00.000Z',
    durationMs: 1_000,
    workload: { name: 'traces/*.json', hash: '00ff', recordedSessions: 1 },
    target: { kind: 'vllm', url: 'http://127.0.0.1:8000', model: 'm' },
    stages: [stageRecord()],
    sessions: [],
    requests: [],
    client: { eventLoopDelayMs: { p50: 0, p99: 0, max: 0 } },
    warnings: [],
    ...differs,
  }
}

export function digestOf(samples: readonly number[]): DigestRecord {
  const digest = createDigest()
  for (const sample of samples) digest.add(sample)
  return digest.toRecord()
}

/** Uniform numbers in [0, 1), the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
