/**
 * Whether the capacity search finds the knee of the simulator's inference model, in simulated time: 100 searches, each with
 * noise of its own in what the sessions write and how long they wait. The knee itself is known from runs that are far
 * longer than a search can afford.
 */
import { type Random, seededRandom } from '../src/base/index.ts'
import { InferenceModel } from '../src/simulator/inference-model.ts'
import { PrefixCache } from '../src/simulator/prefix-cache.ts'
import { searchCapacity, type Trial } from '../src/stats/index.ts'

const SEARCHES = 100
const WITHIN = 0.1
const BAR = 95
const LIMITS_MS = [18_000, 24_000]
const MEASURED_SESSIONS = 120
const RAMP_UP = 2
const LONG_RUN_SESSIONS = 6_000
const TIMING = {
  maxBatch: 32,
  prefillTokensPerSecond: 20_000,
  decodeStepMs: 12,
  decodeSlowdownPerRequest: 0.02,
  cacheBlockTokens: 16,
}

interface RecordedCall {
  readonly promptTokens: number
  readonly outputTokens: number
  readonly waitMs: number
}

const recorded = corpus(MEASURED_SESSIONS, seededRandom(5))

function corpus(sessions: number, random: Random): RecordedCall[][] {
  return Array.from({ length: sessions }, () => {
    const size = Math.exp(0.5 * normal(random))
    return Array.from({ length: Math.max(1, Math.round(4 * size)) }, (_, index) => ({
      promptTokens: 400 + index * 150,
      outputTokens: Math.max(2, Math.round(50 * Math.exp(0.4 * normal(random)))),
      waitMs: index === 0 ? 0 : 600,
    }))
  })
}

/**
 * Workflow latencies with so many sessions in flight throughout, as a search takes them: the first ones do not count, and
 * the load goes on until the last that does has ended.
 */
function closedLoop(concurrentSessions: number, measured: number, random: Random): number[] {
  const model = new InferenceModel(TIMING, new PrefixCache(0))
  const rampUp = RAMP_UP * concurrentSessions
  const latencies: number[] = []
  const waiting: { atMs: number; send: () => void }[] = []
  let started = 0

  const start = () => {
    const index = started++
    const calls = recorded[index % recorded.length] ?? []
    const startMs = model.nowMs
    const send = (position: number) => {
      const call = calls[position]
      if (call === undefined) {
        if (index >= rampUp && index < rampUp + measured) latencies.push(model.nowMs - startMs)
        start()
        return
      }
      const outputTokens = Math.max(1, Math.round(call.outputTokens * Math.exp(0.2 * normal(random))))
      let left = outputTokens
      model.submit({
        promptTokens: call.promptTokens,
        promptBlocks: [],
        outputTokens,
        onPrefill() {},
        onToken() {
          if (--left > 0) return
          const next = calls[position + 1]
          const waitMs = next === undefined ? 0 : -Math.log(1 - random()) * next.waitMs
          waiting.push({ atMs: model.nowMs + waitMs, send: () => send(position + 1) })
        },
        blocksWithOutput: () => [],
      })
    }
    send(0)
  }
  for (let slot = 0; slot < concurrentSessions; slot++) start()
  while (latencies.length < measured) {
    const due = waiting.reduce<(typeof waiting)[number] | undefined>(
      (a, b) => (a === undefined || b.atMs < a.atMs ? b : a),
      undefined,
    )
    if (due === undefined || model.nextEventMs <= due.atMs) model.advance(model.nextEventMs)
    else {
      waiting.splice(waiting.indexOf(due), 1)
      model.advance(due.atMs)
      due.send()
    }
  }
  return latencies
}

function trial(latencies: readonly number[], limitMs: number): Trial {
  const broken = latencies.filter((latencyMs) => latencyMs > limitMs).length
  return { limit: 'p95', samples: latencies.length, broken, tolerated: 0.05 }
}

/** The most sessions at once whose p95 is within the limit, in long runs. */
function knownKnee(limitMs: number): number {
  let [holds, fails] = [1, 400]
  while (fails - holds > 1) {
    const middle = Math.round((holds + fails) / 2)
    const { broken, samples } = trial(closedLoop(middle, LONG_RUN_SESSIONS, seededRandom(99, middle)), limitMs)
    if (broken <= 0.05 * samples) holds = middle
    else fails = middle
  }
  return holds
}

/** Box and Muller's. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

const bounds = { from: 10, to: 200, precision: 0.05, repeats: 3, mostMeasurements: 40 }

for (const limitMs of LIMITS_MS) {
  const knee = knownKnee(limitMs)
  const found: number[] = []
  let measurements = 0
  for (let seed = 1; seed <= SEARCHES; seed++) {
    const random = seededRandom(seed)
    const { highestMet } = await searchCapacity(bounds, async (concurrentSessions) => {
      measurements++
      return { trials: [trial(closedLoop(concurrentSessions, MEASURED_SESSIONS, random), limitMs)] }
    })
    found.push(highestMet)
  }
  found.sort((a, b) => a - b)
  const hits = found.filter((sessions) => Math.abs(sessions - knee) <= WITHIN * knee).length
  console.log(
    `capacity at p95 ≤ ${limitMs / 1_000} s: the knee is at ${knee} sessions; ${hits} of ${SEARCHES} searches found it within 10 % (bar ≥ ${BAR}), ${found[0]} to ${found.at(-1)}, in ${(measurements / SEARCHES).toFixed(1)} measurements of ${MEASURED_SESSIONS} sessions each`,
  )
  if (!(hits >= BAR)) process.exitCode = 1
}
