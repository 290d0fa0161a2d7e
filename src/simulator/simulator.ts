import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock, TraceReplayError } from '../base/index.ts'
import { messages } from './anthropic-response.ts'
import { chatCompletions } from './chat-response.ts'
import { CompletionHandler } from './completion-handler.ts'
import { completions as completionsFormat } from './completions-response.ts'
import { Connections } from './connections.ts'
import { FaultPlan } from './fault-plan.ts'
import { createHttpServer } from './http-server.ts'
import { InferenceEngine } from './inference-engine.ts'
import { InferenceModel } from './inference-model.ts'
import { metricsText } from './metrics-text.ts'
import { readOptions, type SimulatorOptions, type SimulatorSettings } from './options.ts'
import { PrefixCache } from './prefix-cache.ts'
import { RequestLog, type SimulatedRequest } from './request-log.ts'
import { responses } from './responses-response.ts'

/** More than a load client opens at once. */
const LISTEN_BACKLOG = 4_096

/** A running simulator. */
export interface Simulator {
  /** Without a path: `http://127.0.0.1:41234`. */
  readonly url: string
  /** What came, in order of arrival; bounded by `recordRequests` and `recordBodyBytes`. A new array each time, of live records. */
  readonly requests: readonly SimulatedRequest[]
  /** How many requests came, kept or not. */
  readonly received: number
  /** Requests the model works on now, and those that wait for it. */
  readonly load: { readonly running: number; readonly queued: number }
  /** Stops listening and closes every connection at once. May be called again. */
  close(): Promise<void>
}

/**
 * Starts an inference server that speaks the OpenAI chat completions, completions and responses APIs and Anthropic's messages, in this process and without a model: what it
 * writes is drawn, how long it takes follows from a small model of a batching server. It proves a test, not a server.
 *
 * @example
 * ```ts
 * const simulator = await startSimulator({ decodeStepMs: 10, maxBatch: 8 })
 * const response = await fetch(`${simulator.url}/v1/chat/completions`, { … })
 * await simulator.close()
 * ```
 * @throws {TraceReplayError} `INVALID_OPTION`; `SIMULATOR` when the address cannot be listened on
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = readOptions(options)
  const clock = settings.clock ?? systemClock
  const cache = new PrefixCache(Math.floor(settings.cacheTokens / settings.cacheBlockTokens))
  const model = new InferenceModel(settings, cache)
  const engine = new InferenceEngine(model, clock, settings.speed)
  const log = new RequestLog(settings.recordRequests, settings.recordBodyBytes)
  const completions = new CompletionHandler(settings, clock, engine, new FaultPlan(settings.faults, settings.seed))
  const connections = new Connections()
  const server = createHttpServer({
    settings,
    clock,
    log,
    connections,
    completions,
    metrics: () => metricsText(model, cache, settings.models?.[0] ?? 'simulator'),
    formats: [chatCompletions, completionsFormat, responses, messages],
  })
  await listen(server, settings)

  let closed: Promise<void> | undefined
  return {
    url: urlOf(server.address() as AddressInfo),
    get requests() {
      return log.requests
    },
    get received() {
      return log.received
    },
    get load() {
      return { running: engine.running, queued: engine.queued }
    },
    close() {
      closed ??= closeAll(server, engine, connections)
      return closed
    },
  }
}

async function closeAll(server: Server, engine: InferenceEngine, connections: Connections): Promise<void> {
  const stopped = new Promise((resolve) => server.close(resolve))
  engine.close()
  await Promise.all([stopped, connections.destroy()])
}

function listen(server: Server, { host, port }: SimulatorSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const place = `The simulator cannot listen on ${host} port ${port}`
      const reason =
        error.code === 'EADDRINUSE'
          ? `${place}: the port is in use. Choose another, or 0 for a free one.`
          : `${place}: ${error.message}`
      reject(new TraceReplayError('SIMULATOR', reason, { cause: error }))
    })
    server.listen({ host, port, backlog: LISTEN_BACKLOG }, resolve)
  })
}

/** An address to reach the server at: one that stands for all of a machine's is replaced by the machine's own. */
function urlOf({ address, family, port }: AddressInfo): string {
  const reachable = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return family === 'IPv6' ? `http://[${reachable}]:${port}` : `http://${reachable}:${port}`
}
