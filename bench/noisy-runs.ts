/**
 * Pairs of runs as two noisy servers would have left them behind, drawn instead of measured: sessions that differ tenfold
 * in size, lognormal noise on each call, 2 % of calls that take twice their time, and a drift that both servers share (they
 * stand on the same machines), each at the time of its own blocks.
 */
import { type Random, seededRandom } from '../src/base/index.ts'
import type { RequestRecord, RunRecord, SessionRecord } from '../src/metrics/index.ts'
import { comparisonBlocks } from '../src/replay/comparison-blocks.ts'

export interface Noise {
  /** Sigma of a call's lognormal noise. */
  readonly callSigma: number
  readonly stragglerShare: number
  /** Whether a whole session straggles, or single calls. */
  readonly stragglers: 'calls' | 'sessions'
  /** Standard deviation of the drift, as a share, and how long it takes to forget itself. */
  readonly driftSigma: number
  readonly driftMs: number
  /** Share of sessions that fail, on either side. */
  readonly failureShare: number
}

const MEDIAN_CALLS = 8
const SIZE_SIGMA = 0.6
const MEDIAN_TOKENS = 150
const TOKENS_SIGMA = 0.5
const PREFILL_MS = 250
const TOKEN_MS = 12
const CONCURRENCY = 10

export interface RunPair {
  readonly base: RunRecord
  readonly head: RunRecord
}

/** @param slower how many times slower the head truly is, in everything the server does */
export function noisyRuns(sessions: number, slower: number, noise: Noise, seed: number): RunPair {
  const random = seededRandom(seed, sessions)
  const recorded = Array.from({ length: sessions }, (_, index) => recordedSession(`s${index}`, random))
  const drift = driftOver(noise, random)
  const sides = { base: new Side(1, noise, random, drift), head: new Side(slower, noise, random, drift) }
  let next = 0
  let nowMs = 0
  for (const block of comparisonBlocks(sessions, CONCURRENCY)) {
    const slice = recorded.slice(next, next + block.sessions)
    next += block.sessions
    const order = block.first === 'base' ? [sides.base, sides.head] : [sides.head, sides.base]
    for (const side of order) nowMs = side.replay(slice, nowMs)
  }
  return { base: sides.base.record(), head: sides.head.record() }
}

interface RecordedSession {
  readonly id: string
  readonly tokens: readonly number[]
}

function recordedSession(id: string, random: Random): RecordedSession {
  const calls = Math.max(1, Math.round(MEDIAN_CALLS * Math.exp(SIZE_SIGMA * normal(random))))
  const tokens = Array.from({ length: calls }, () => Math.round(MEDIAN_TOKENS * Math.exp(TOKENS_SIGMA * normal(random))))
  return { id, tokens: tokens.map((count) => Math.max(2, count)) }
}

class Side {
  readonly #slower: number
  readonly #noise: Noise
  readonly #random: Random
  readonly #drift: (timeMs: number) => number
  readonly #sessions: SessionRecord[] = []
  readonly #requests: RequestRecord[] = []

  constructor(slower: number, noise: Noise, random: Random, drift: (timeMs: number) => number) {
    this.#slower = slower
    this.#noise = noise
    this.#random = random
    this.#drift = drift
  }

  /** Ten at once; returns when the last has ended. */
  replay(sessions: readonly RecordedSession[], startMs: number): number {
    const slots = new Array<number>(CONCURRENCY).fill(startMs)
    for (const session of sessions) {
      const freeMs = Math.min(...slots)
      slots[slots.indexOf(freeMs)] = this.#session(session, freeMs)
    }
    return Math.max(...slots)
  }

  #session({ id, tokens }: RecordedSession, startMs: number): number {
    const { callSigma, stragglerShare, stragglers, failureShare } = this.#noise
    const random = this.#random
    const straggles = random() < stragglerShare
    const failsAt = random() < failureShare ? Math.floor(random() * tokens.length) : tokens.length
    let nowMs = startMs
    for (const [index, planned] of tokens.entries()) {
      const late = stragglers === 'sessions' ? straggles : random() < stragglerShare
      const factor = this.#slower * this.#drift(nowMs) * (late ? 2 : 1)
      const firstOutputMs = nowMs + PREFILL_MS * factor * Math.exp(callSigma * normal(random))
      const endMs = firstOutputMs + planned * TOKEN_MS * factor * Math.exp(callSigma * normal(random))
      this.#requests.push(request(id, index, planned, { sentMs: nowMs, firstOutputMs, endMs }, index < failsAt))
      nowMs = endMs
      if (index >= failsAt) break
    }
    const state = failsAt < tokens.length ? 'failed' : 'succeeded'
    const calls = { succeeded: tokens.length, failed: 0, cancelled: 0, cutOff: 0 }
    this.#sessions.push({
      id,
      recorded: id,
      source: id,
      stage: 0,
      state,
      intendedMs: startMs,
      startMs,
      endMs: nowMs,
      calls,
      error: null,
    })
    return nowMs
  }

  record(): RunRecord {
    return {
      version: 1,
      name: 'noisy',
      startedAt: '2026-01-01T00:00:00.000Z',
      durationMs: 0,
      workload: { name: 'noisy', hash: '0', recordedSessions: this.#sessions.length },
      target: { kind: 'simulator', url: '', model: '' },
      stages: [],
      sessions: this.#sessions,
      requests: this.#requests,
      client: { eventLoopDelayMs: { p50: 0, p99: 0, max: 0 } },
      warnings: [],
    }
  }
}

function request(
  session: string,
  index: number,
  tokens: number,
  { sentMs, firstOutputMs, endMs }: { sentMs: number; firstOutputMs: number; endMs: number },
  succeeds: boolean,
): RequestRecord {
  return {
    session,
    call: `c${index}`,
    name: 'chat',
    model: 'm',
    stage: 0,
    state: succeeds ? 'succeeded' : 'failed',
    error: null,
    after: index === 0 ? [] : [`c${index - 1}`],
    readyMs: sentMs,
    waitMs: 0,
    sentMs,
    connectMs: 0,
    firstOutputMs,
    lastOutputMs: endMs,
    endMs,
    outputChunks: tokens,
    inputTokens: 1_000,
    outputTokens: tokens,
    cachedInputTokens: null,
    tokensEstimated: false,
    plannedOutputTokens: tokens,
    splices: { live: 0, diverged: 0 },
  }
}

const DRIFT_STEP_MS = 1_000

/** An Ornstein–Uhlenbeck process, drawn second by second as far as it is asked for. */
function driftOver({ driftSigma, driftMs }: Noise, random: Random): (timeMs: number) => number {
  const kept = Math.exp(-DRIFT_STEP_MS / driftMs)
  const levels = [normal(random)]
  return (timeMs) => {
    const step = Math.floor(timeMs / DRIFT_STEP_MS)
    while (levels.length <= step) levels.push((levels.at(-1) ?? 0) * kept + Math.sqrt(1 - kept ** 2) * normal(random))
    return Math.exp(driftSigma * (levels[step] ?? 0))
  }
}

/** Box and Muller's. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
