/**
 * Short calls (1 kB in, 16 chunks out, 64 at once) on one thread, against a bare undici loop that sends a ready buffer and
 * counts chunks. Same server, in another process; the two take turns, and the median of the rounds' ratios counts.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Pool } from 'undici'
import { systemClock } from '../src/base/index.ts'
import { createEndpoint, type EndpointRequest, resolveTarget } from '../src/endpoint/index.ts'
import type { Message } from '../src/message/index.ts'

const BAR = 0.6
const CONCURRENCY = 64
const CALLS_PER_ROUND = 5_000
const ROUNDS = 9

const server = fork(new URL('./fixed-stream-server.js', import.meta.url))
const [address] = (await once(server, 'message')) as [{ port: number }]
const url = `http://127.0.0.1:${address.port}`

const target = resolveTarget({ kind: 'vllm', url }, {})
const endpoint = createEndpoint(target, { clock: systemClock })
const system: Message = { role: 'system', parts: [{ type: 'text', text: 'You are a helpful assistant. '.repeat(8) }] }
const question = 'What is the state of the build, and what should be done about it? '.repeat(11)
/** As a replay that repeats its corpus: what a call sends has been recorded once and is sent many times. */
const recorded = Array.from({ length: 1_000 }, (_, index): readonly Message[] => [
  system,
  { role: 'user', parts: [{ type: 'text', text: `${index} ${question}` }] },
])
const run = new AbortController()

async function replayCall(index: number): Promise<void> {
  const request: EndpointRequest = {
    model: 'Qwen/Qwen2.5-7B-Instruct',
    messages: recorded[index % recorded.length] ?? [],
    tools: [],
    params: { maxTokens: 16, temperature: 0 },
    forceOutputTokens: 16,
    stream: true,
    timeouts: target.timeouts,
    signal: run.signal,
  }
  const exchange = await endpoint.send(request)
  if (exchange.result.state !== 'ok' || exchange.outputTimesMs.length !== 16) throw new Error(JSON.stringify(exchange))
}

const pool = new Pool(url, { connections: CONCURRENCY, pipelining: 1 })
const ready = Buffer.from(
  JSON.stringify({
    model: 'Qwen/Qwen2.5-7B-Instruct',
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 16,
    ignore_eos: true,
    min_tokens: 16,
    temperature: 0,
    messages: [
      { role: 'system', content: 'You are a helpful assistant. '.repeat(8) },
      { role: 'user', content: `0 ${question}` },
    ],
  }),
)
const headers = ['content-type', 'application/json']

function bareCall(): Promise<void> {
  return new Promise((resolve, reject) => {
    let chunks = 0
    pool.dispatch(
      { path: '/v1/chat/completions', method: 'POST', headers, body: ready },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {
          chunks++
        },
        onResponseEnd() {
          if (chunks === 0) reject(new Error('no chunks'))
          else resolve()
        },
        onResponseError(_controller, error) {
          reject(error)
        },
      },
    )
  })
}

/** Calls a second with `CONCURRENCY` in flight throughout. */
async function callsPerSecond(call: (index: number) => Promise<void>): Promise<number> {
  let next = 0
  const worker = async () => {
    while (next < CALLS_PER_ROUND) await call(next++)
  }
  const startMs = performance.now()
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return CALLS_PER_ROUND / ((performance.now() - startMs) / 1_000)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

await callsPerSecond(bareCall)
await callsPerSecond(replayCall)
const rounds: { bare: number; ours: number }[] = []
for (let round = 0; round < ROUNDS; round++) {
  rounds.push({ bare: await callsPerSecond(bareCall), ours: await callsPerSecond(replayCall) })
}
await Promise.all([endpoint.close(), pool.destroy()])
server.disconnect()

const ratio = median(rounds.map(({ bare, ours }) => ours / bare))
const bare = Math.round(median(rounds.map((round) => round.bare)))
const ours = Math.round(median(rounds.map((round) => round.ours)))
console.log(`short calls: ${ours}/s, bare undici ${bare}/s, ratio ${ratio.toFixed(2)} (bar ≥ ${BAR})`)
if (!(ratio >= BAR)) process.exitCode = 1
