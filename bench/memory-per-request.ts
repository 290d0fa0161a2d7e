/**
 * 100,000 requests in one run: how much memory it keeps for each, and how close its percentiles of inter-token latency are to
 * exact ones. Every session is another one, so that nothing is shared but names; the journal is on, as by default, with the
 * requests in it. The server, in another process, writes each answer at once; the times of its chunks are therefore made up, as
 * a model would take them.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { systemClock } from '../src/base/index.ts'
import { createEndpoint, resolveTarget } from '../src/endpoint/index.ts'
import type { ReplayGraph } from '../src/graph/index.ts'
import type { Workload } from '../src/index.ts'
import type { Message } from '../src/message/index.ts'
import {
  createDigest,
  type Distribution,
  ExactDistribution,
  mergeDigests,
  Run,
  SketchedDistribution,
} from '../src/metrics/index.ts'
import { measure } from '../src/replay/measurement.ts'
import { planReplay } from '../src/replay/options-schema.ts'
import { summarizeRun } from '../src/report/index.ts'
import { mulberry32 } from './synthetic-text.ts'

const REQUESTS = 100_000
const CALLS = 10
const CONCURRENT_SESSIONS = 200
/** The server's chunks, less one. */
const GAPS = 15
/** Of each kind of gaps that is made up. */
const SAMPLES = 200_000
const PERCENTILES = [0.5, 0.9, 0.95, 0.99]
const BARS = { bytes: 200, error: 0.01 }

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Some are held up by another request's prefill. */
function decodeStepMs(random: () => number): number {
  return random() < 0.03 ? 80 * Math.exp(0.4 * normal(random)) : 12 * Math.exp(0.35 * normal(random))
}

/** What gaps look like. */
const GAPS_MS: Readonly<Record<string, (random: () => number) => number>> = {
  'decode steps': decodeStepMs,
  'a heavy tail': (random) => Math.exp(1.5 * normal(random)),
  'three chunks in a read': (random) => (random() < 2 / 3 ? 0 : 36 * Math.exp(0.3 * normal(random))),
  'speculative decoding': (random) => (random() < 0.6 ? 25 + random() : 50 + 2 * random()),
}
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Bytes alive, in the heap and beside it. */
async function alive(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    // What has been let go within this turn, or is on its way to be, may go.
    await sleep(20)
    collectGarbage()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const text = (role: Message['role'], content: string): Message => ({ role, parts: [{ type: 'text', text: content }] })
const question = text('user', 'What is the state of the build, and what should be done about it?')
const answer = text('assistant', 'a recorded answer')

/** As many sessions as are asked for, each with ids of its own. A call sends its predecessor's live output. */
function sessionsNamed(name: string): Workload {
  return {
    name,
    async *open() {
      for (let index = 0; ; index++) yield session(`${name}-${index}`, index)
    },
  }
}

function session(id: string, index: number): ReplayGraph {
  const callId = (place: number) => (0x1000_0000_0000_0000n + BigInt(index * CALLS + place)).toString(16)
  const nodes = Array.from({ length: CALLS }, (_, place): ReplayGraph['nodes'][number] => ({
    call: {
      id: callId(place),
      name: `step ${place}`,
      model: 'm',
      messages: place === 0 ? [question] : [question, answer, question],
      output: answer,
      tools: [],
      params: {},
      usage: { inputTokens: 250 + index, outputTokens: GAPS + 1 },
      startMs: place,
      endMs: place + 1,
      error: null,
      spanPath: [],
      attributes: {},
    },
    edges: place === 0 ? [] : [{ from: callId(place - 1), kind: 'context', evidence: 'as made' }],
    waitMs: 0,
    splices: place === 0 ? [] : [{ kind: 'message', message: 1, from: callId(place - 1) }],
  }))
  return { session: { id, source: `${id}.json`, attributes: {}, calls: nodes.map(({ call }) => call) }, nodes }
}

const folder = mkdtempSync(join(tmpdir(), 'memory-per-request-'))
const server = fork(new URL('./fixed-stream-server.js', import.meta.url))
const [address] = (await once(server, 'message')) as [{ port: number }]
const target = resolveTarget({ kind: 'vllm', url: `http://127.0.0.1:${address.port}`, model: 'm' }, {})

/** Where all gaps go, besides. */
const gapsMs = new Float64Array(REQUESTS * GAPS)
let gaps = 0

async function replayed(name: string, requests: number): Promise<Run> {
  const plan = planReplay({
    workload: sessionsNamed(name),
    stages: [{ concurrentSessions: CONCURRENT_SESSIONS, sessions: requests / CALLS }],
    journal: { folder },
  })
  gaps = 0
  return new Run(
    await measure(plan, {
      target,
      clock: systemClock,
      createEndpoint(warn) {
        const endpoint = createEndpoint(target, { clock: systemClock, warn })
        return {
          close: () => endpoint.close(),
          async send(request) {
            const exchange = await endpoint.send(request)
            if (exchange.result.state !== 'ok') throw new Error(JSON.stringify(exchange.result))
            return { ...exchange, outputTimesMs: asOfAModel(exchange.outputTimesMs) }
          },
        }
      },
    }),
  )
}

/** As threads or shards that are merged. */
const PARTS = 4

function sketched(samples: Float64Array): Distribution {
  const digests = Array.from({ length: PARTS }, createDigest)
  for (const [index, sample] of samples.entries()) digests[index % PARTS]?.add(sample)
  return new SketchedDistribution(mergeDigests(digests.map((digest) => digest.toRecord())), 0)
}

function worstError(sketch: Distribution, exact: Distribution): number {
  const errors = PERCENTILES.map((q) => {
    const [found, wanted] = [sketch.quantile(q) ?? Number.NaN, exact.quantile(q) ?? Number.NaN]
    return found === wanted ? 0 : Math.abs(found - wanted) / wanted
  })
  return Math.max(...errors)
}

const timing = mulberry32(1)

function asOfAModel([firstMs = 0, ...others]: readonly number[]): number[] {
  const times = [firstMs]
  for (const _ of others) {
    const beforeMs = times.at(-1) ?? 0
    const nextMs = beforeMs + decodeStepMs(timing)
    times.push(nextMs)
    gapsMs[gaps++] = nextMs - beforeMs
  }
  return times
}

let missed = false
function report(what: string, value: number, bar: number, digits: number): void {
  const ok = value <= bar
  missed ||= !ok
  console.log(`${ok ? 'ok  ' : 'MISS'}  ${what}: ${value.toFixed(digits)} (at most ${bar})`)
}

// What is compiled, connected and pooled once is not the run's.
await replayed('warm-up', REQUESTS / 20)
const before = await alive()
const startMs = performance.now()
const run = await replayed('run', REQUESTS)
const seconds = (performance.now() - startMs) / 1_000
server.disconnect()
const { total, succeeded } = run.requestCounts
if (succeeded !== REQUESTS || total !== REQUESTS || gaps !== gapsMs.length) throw new Error(JSON.stringify(run))
console.log(`${REQUESTS} requests in ${seconds.toFixed(1)} s, ${Math.round(REQUESTS / seconds)}/s, ${gaps} gaps`)

report('bytes kept for each request', ((await alive()) - before) / REQUESTS, BARS.bytes, 0)
askForFigures(run)
report('the same when its figures have been asked for', ((await alive()) - before) / REQUESTS, BARS.bytes, 0)

const percentiles = PERCENTILES.map((q) => `p${q * 100}`).join(', ')
console.log(`ITL, worst relative error of ${percentiles}:`)
report('of the run', worstError(run.interTokenLatency, new ExactDistribution(gapsMs)), BARS.error, 4)
for (const [name, gapMs] of Object.entries(GAPS_MS)) {
  const random = mulberry32(1)
  const samples = Float64Array.from({ length: SAMPLES }, () => gapMs(random))
  report(`of ${name}`, worstError(sketched(samples), new ExactDistribution(samples)), BARS.error, 4)
}
rmSync(folder, { recursive: true })
process.exitCode = missed ? 1 : 0

/** All that the usual matchers and reports do. */
function askForFigures(measured: Run): void {
  summarizeRun(measured)
  measured.goodput({ ttft: 500, tpot: 50 })
  measured.goodput({ workflowLatency: 5_000 })
  measured.worstSessions(3)
  measured.criticalPath(0.95)
  const { fidelity, cachedShare, errors, scheduleLag, normalizedTimePerOutputToken } = measured
  if (fidelity.score === undefined || cachedShare === undefined || errors.length > 0) throw new Error('What server is that?')
  scheduleLag.quantile(0.99)
  normalizedTimePerOutputToken.quantile(0.99)
  measured.where({ label: 'step 3' }).requestLatency.quantile(0.95)
}
