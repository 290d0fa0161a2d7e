/**
 * Times streams with one client, in a process of its own: what another client has left to be collected is none of its
 * errors. Tells the parent the errors of each round.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { systemClock } from '../src/base/index.ts'
import { createEndpoint, resolveTarget } from '../src/endpoint/index.ts'
import { BareStreams } from './bare-streams.ts'

/** What to time; the process's one argument, as JSON. */
export interface StreamsToTime {
  readonly client: 'bare' | 'ours'
  readonly streams: number
  /** From one chunk of a stream to the next. */
  readonly gapMs: number
  readonly rounds: number
}

const FIRST_MS = 300
const LASTS_MS = 1_900
const STARTS_WITHIN_MS = 1_500
/** Seven digits and a blank. */
const STAMP_BYTES = 8
const PROMPT = 'What time is it? '.repeat(60)

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

/**
 * What a round's streams have seen, outside the engine's heap: what is kept there is collected, with all else, while the next
 * streams are in flight.
 */
class SeenStreams {
  readonly #times: Float64Array
  readonly #texts: Buffer
  readonly #chunks: number
  #streams = 0

  constructor(streams: number, chunks: number) {
    this.#chunks = chunks
    this.#times = new Float64Array(streams * (chunks + 1))
    this.#texts = Buffer.alloc(streams * (chunks + 1) * STAMP_BYTES)
  }

  add({ sentMs, chunksMs, text }: SeenStream): void {
    const stamps = this.#chunks + 1
    if (chunksMs.length !== this.#chunks || text.length !== stamps * STAMP_BYTES)
      throw new Error(`${this.#chunks} chunks written, ${chunksMs.length} seen, with ${text.length} bytes of stamps`)
    const first = this.#streams++ * stamps
    this.#times[first] = sentMs
    for (let index = 0; index < chunksMs.length; index++) this.#times[first + 1 + index] = chunksMs[index] ?? Number.NaN
    this.#texts.write(text, first * STAMP_BYTES, 'latin1')
  }

  *[Symbol.iterator](): Generator<SeenStream> {
    const stamps = this.#chunks + 1
    for (let first = 0; first < this.#streams * stamps; first += stamps) {
      const [sentMs = Number.NaN, ...chunksMs] = this.#times.subarray(first, first + stamps)
      yield { sentMs, chunksMs, text: this.#texts.toString('latin1', first * STAMP_BYTES, (first + stamps) * STAMP_BYTES) }
    }
  }
}

/** Of one round, in milliseconds. */
export interface Errors {
  readonly ttft: Quantiles
  readonly itl: Quantiles
}

export interface Quantiles {
  readonly p50: number
  readonly p99: number
}

const { client, ...toTime } = JSON.parse(process.argv[2] ?? '') as StreamsToTime
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
  { streams, gapMs, rounds }: Omit<StreamsToTime, 'client'>,
): Promise<SeenStreams[]> {
  const chunks = Math.round(LASTS_MS / gapMs)
  const client = open(`?first=${FIRST_MS}&gap=${gapMs}&chunks=${chunks}`)
  const seen = Array.from({ length: rounds + 1 }, () => new SeenStreams(streams, chunks))
  // The first request of a connection is answered at once: how late the server gets to accept one is not what we ask.
  await Promise.all(Array.from({ length: streams }, () => client.send()))
  for (const round of seen) {
    // One after the other: in a burst, what shows is how late the server gets to read its requests.
    const spread = async (_: unknown, index: number) => {
      await setTimeout((index * STARTS_WITHIN_MS) / streams)
      round.add(await client.send())
    }
    await Promise.all(Array.from({ length: streams }, spread))
  }
  await client.close()
  return seen.slice(1)
}

function errorsOf(streams: SeenStreams): Errors {
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

// Looked at when all is over: what comparing leaves behind would be collected while the next streams are in flight.
const seen = await measure(client === 'ours' ? openOurs : openBare, toTime)
server.disconnect()
process.send?.(seen.map(errorsOf))
process.disconnect()
