import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Pool } from 'undici'
import { systemClock } from '../src/base/index.ts'
import { createEndpoint, type EndpointRequest, resolveTarget } from '../src/endpoint/index.ts'
import type { Message } from '../src/message/index.ts'

export const MODEL = 'Qwen/Qwen2.5-7B-Instruct'

/** Makes one call; what it is called with counts up. */
export type Call = (index: number) => Promise<void>

/** What one round of calls took. */
export interface Load {
  readonly callsPerSecond: number
  /** Time of processors, of all threads of this process, in microseconds a call. */
  readonly cpuUsPerCall: number
}

/**
 * A server that answers with a fixed stream, in another process, and three clients of it: ours, which encodes, times and
 * reads each chunk, and undici as it comes, which sends a ready buffer and counts chunks, by the lowest of its interfaces
 * (`dispatch`) and by the one its documentation begins with (`request`).
 */
export async function openFixedStreamLoad(connections: number) {
  const server = fork(new URL('./fixed-stream-server.js', import.meta.url))
  const [address] = (await once(server, 'message')) as [{ port: number }]
  const url = `http://127.0.0.1:${address.port}`
  const target = resolveTarget({ kind: 'vllm', url }, {})
  const endpoint = createEndpoint(target, { clock: systemClock })
  const pool = new Pool(url, { connections, pipelining: 1 })
  const run = new AbortController()
  const path = '/v1/chat/completions'
  /** One for each call in flight: a single one would never leave the processor's cache. */
  const ready = (body: Buffer) => Array.from({ length: connections }, () => Buffer.from(body))
  const headers = ['content-type', 'application/json']

  return {
    replayCall(messagesOf: (index: number) => readonly Message[]): Call {
      return async (index) => {
        const request: EndpointRequest = {
          model: MODEL,
          messages: messagesOf(index),
          tools: [],
          params: { maxTokens: 16, temperature: 0 },
          forceOutputTokens: 16,
          stream: true,
          timeouts: target.timeouts,
          signal: run.signal,
        }
        const { result, outputTimesMs } = await endpoint.send(request)
        if (result.state !== 'ok' || outputTimesMs.length !== 16) throw new Error(JSON.stringify(result))
      }
    },

    bareDispatch(body: Buffer): Call {
      const bodies = ready(body)
      return (index) =>
        new Promise((resolve, reject) => {
          let chunks = 0
          pool.dispatch(
            { path, method: 'POST', headers, body: bodies[index % bodies.length] ?? body },
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
    },

    bareRequest(body: Buffer): Call {
      const bodies = ready(body)
      return async (index) => {
        let chunks = 0
        const response = await pool.request({ path, method: 'POST', headers, body: bodies[index % bodies.length] ?? body })
        for await (const _ of response.body) chunks++
        if (chunks === 0) throw new Error('no chunks')
      }
    },

    async close(): Promise<void> {
      await Promise.all([endpoint.close(), pool.destroy()])
      server.disconnect()
    },
  }
}

/** The body that {@link openFixedStreamLoad}'s `replayCall` sends, ready. */
export function readyBody(messages: readonly { readonly role: string; readonly content: string }[]): Buffer {
  return Buffer.from(
    JSON.stringify({
      model: MODEL,
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 16,
      ignore_eos: true,
      min_tokens: 16,
      temperature: 0,
      messages,
    }),
  )
}

/** Makes `calls` calls, with `concurrency` in flight throughout. */
async function load(call: Call, calls: number, concurrency: number): Promise<Load> {
  let next = 0
  const worker = async () => {
    while (next < calls) await call(next++)
  }
  const cpuBefore = process.cpuUsage()
  const startMs = performance.now()
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - startMs) / 1_000
  const { user, system } = process.cpuUsage(cpuBefore)
  return { callsPerSecond: calls / seconds, cpuUsPerCall: (user + system) / calls }
}

/** The clients take turns, after a round of each that does not count. */
export async function takeTurns<Name extends string>(
  clients: Readonly<Record<Name, Call>>,
  options: { readonly rounds: number; readonly calls: number; readonly concurrency: number },
): Promise<Record<Name, Load>[]> {
  const rounds: Record<Name, Load>[] = []
  for (let round = 0; round <= options.rounds; round++) {
    const loads = {} as Record<Name, Load>
    for (const name of Object.keys(clients) as Name[]) loads[name] = await load(clients[name], options.calls, options.concurrency)
    if (round > 0) rounds.push(loads)
  }
  return rounds
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
