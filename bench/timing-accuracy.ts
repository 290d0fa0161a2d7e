/**
 * How true our times are: TTFT and ITL as the client has them, against a server that says in each chunk when it wrote it.
 * What lies between the two is the way from one socket to the other, and the client's own lateness. A bare socket that does
 * nothing but note the time of each read goes the same way: its error is that of the machine and the server. The median of
 * our rounds counts.
 *
 * Other processes on the machine show in both. On Linux they can be kept out: `chrt -r 10 node bench/dist/bench/timing-accuracy.js`.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { systemClock } from '../src/base/index.ts'
import { createEndpoint, resolveTarget } from '../src/endpoint/index.ts'
import { BareStreams } from './bare-streams.ts'

/** As a server decodes: the more streams, the longer a step takes. */
const LOADS: readonly Load[] = [
  { streams: 200, gapMs: 20, barMs: 1 },
  { streams: 500, gapMs: 50, barMs: 5 },
  { streams: 1_000, gapMs: 100, barMs: 5 },
]
const FIRST_MS = 300
const LASTS_MS = 1_900
const STARTS_WITHIN_MS = 1_500
const ROUNDS = 3
const PROMPT = 'What time is it? '.repeat(60)

interface Load {
  readonly streams: number
  readonly gapMs: number
  readonly barMs: number
}

/** What a client saw of one stream, and what the server wrote into it: when the request came, then when each chunk left. */
export interface SeenStream {
  readonly sentMs: number
  readonly chunksMs: readonly number[]
  readonly text: string
}

export interface StreamClient {
  send(): Promise<SeenStream>
  close(): Promise<void>
}

/** Of one round, in milliseconds. */
interface Errors {
  readonly ttft: Quantiles
  readonly itl: Quantiles
}

interface Quantiles {
  readonly p50: number
  readonly p99: number
}

const server = fork(new URL('./timed-stream-server.js', import.meta.url))
const [{ port }] = (await once(server, 'message')) as [{ port: number }]

function openOurs(query: string): StreamClient {
  const target = resolveTarget({ kind: 'openai', url: `http://127.0.0.1:${port}/v1${query}` }, {})
  const endpoint = createEndpoint(target, { clock: systemClock })
  return {
    async send() {
      const { result, sentMs, outputTimesMs } = await endpoint.send({
        model: 'm',
        messages: [{ role: 'user', parts: [{ type: 'text', text: PROMPT }] }],
        tools: [],
        params: {},
        stream: true,
        timeouts: target.timeouts,
      })
      if (result.state !== 'ok' || sentMs === null) throw new Error(JSON.stringify(result))
      const [part] = result.message.parts
      return { sentMs, chunksMs: outputTimesMs, text: part?.type === 'text' ? part.text : '' }
    },
    close: () => endpoint.close(),
  }
}

function openBare(query: string): StreamClient {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: PROMPT }], stream: true })
  return new BareStreams(
    port,
    `POST /v1/chat/completions${query} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}

/** Rounds of streams over the same connections. A first one does not count: code is compiled in it, connections are new. */
async function measure(
  open: (query: string) => StreamClient,
  { streams, gapMs }: Load,
  rounds: number,
): Promise<(readonly SeenStream[])[]> {
  const client = open(`?first=${FIRST_MS}&gap=${gapMs}&chunks=${Math.round(LASTS_MS / gapMs)}`)
  // The first request of a connection is answered at once: how late the server gets to accept one is not what we ask.
  await Promise.all(Array.from({ length: streams }, () => client.send()))
  // One after the other: in a burst, what shows is how late the server gets to read its requests.
  const spread = (_: unknown, index: number) => setTimeout((index * STARTS_WITHIN_MS) / streams).then(() => client.send())
  const seen: (readonly SeenStream[])[] = []
  for (let round = 0; round <= rounds; round++) {
    const all = await Promise.all(Array.from({ length: streams }, spread))
    if (round > 0) seen.push(all)
  }
  await client.close()
  return seen
}

function errorsOf(streams: readonly SeenStream[]): Errors {
  const ttftMs: number[] = []
  const itlMs: number[] = []
  for (const seen of streams) compare(seen, ttftMs, itlMs)
  return { ttft: quantiles(ttftMs), itl: quantiles(itlMs) }
}

/** The server's stamps have but the last digits: they come round after ten seconds. */
const STAMPS_ROUND_MS = 10_000

function compare({ sentMs, chunksMs, text }: SeenStream, ttftMs: number[], itlMs: number[]): void {
  const [receivedMs = Number.NaN, ...writtenMs] = text
    .trim()
    .split(' ')
    .map((us) => Number(us) / 1_000)
  if (writtenMs.length !== chunksMs.length) throw new Error(`${writtenMs.length} chunks written, ${chunksMs.length} seen`)
  let seenBefore = sentMs
  let writtenBefore = receivedMs
  for (const [index, seen] of chunksMs.entries()) {
    const written = writtenMs[index] ?? Number.NaN
    const trueMs = (written - writtenBefore + STAMPS_ROUND_MS) % STAMPS_ROUND_MS
    const into = index === 0 ? ttftMs : itlMs
    into.push(Math.abs(seen - seenBefore - trueMs))
    seenBefore = seen
    writtenBefore = written
  }
}

function quantiles(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

/** The median of each figure. */
function usual(rounds: readonly Errors[]): Errors {
  const median = (figure: (errors: Errors) => number) =>
    rounds.map(figure).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? Number.NaN
  const both = (of: (errors: Errors) => Quantiles): Quantiles => ({
    p50: median((errors) => of(errors).p50),
    p99: median((errors) => of(errors).p99),
  })
  return { ttft: both(({ ttft }) => ttft), itl: both(({ itl }) => itl) }
}

function inWords({ ttft, itl }: Errors): string {
  const ms = (value: number) => value.toFixed(2).padStart(6)
  return [ttft, itl].map(({ p50, p99 }) => `${ms(p50)} / ${ms(p99)}`).join('  ')
}

// Looked at when all is over: what comparing leaves behind would be collected while the next streams are in flight.
const seen: { load: Load; bare: (readonly SeenStream[])[]; ours: (readonly SeenStream[])[] }[] = []
for (const load of LOADS) {
  const bare = await measure(openBare, load, ROUNDS)
  const ours = await measure(openOurs, load, ROUNDS)
  seen.push({ load, bare, ours })
}
server.disconnect()

let missed = false
console.log('error, p50 / p99, ms       bare socket: TTFT, ITL            ours: TTFT, ITL            at most')
for (const { load, bare, ours } of seen) {
  const { ttft, itl } = usual(ours.map(errorsOf))
  const ok = ttft.p99 <= load.barMs && itl.p99 <= load.barMs
  missed ||= !ok
  console.log(
    `${ok ? 'ok  ' : 'MISS'}  ${String(load.streams).padStart(5)} streams   ${inWords(usual(bare.map(errorsOf)))}   ${inWords({ ttft, itl })}      ${load.barMs}`,
  )
}
if (missed) process.exitCode = 1
