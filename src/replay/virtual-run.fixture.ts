import { type ManualClock, manualClock } from '../base/manual-clock.fixture.ts'
import type { Endpoint, EndpointRequest, Exchange, ExchangeResult } from '../endpoint/index.ts'
import type { ReplayGraph } from '../graph/index.ts'
import { Corpus, type Workload } from '../workload/index.ts'
import type { ReplayOptions } from './options.ts'
import { planReplay } from './options-schema.ts'
import { RunRecorder } from './run-recorder.ts'
import { runStages } from './run-stages.ts'
import { LocalHost } from './session-host.ts'

/** What the scripted server does with one request. */
export interface ScriptedAnswer {
  readonly result?: ExchangeResult
  /** @default 100 */
  readonly latencyMs?: number
  /** Passes before the request is sent, within the latency. @default 0 */
  readonly connectMs?: number
  readonly outputTokens?: number
  /** `false`: no connection was made, nothing was sent. @default true */
  readonly connects?: boolean
}

export interface SentRequest {
  readonly sentMs: number
  readonly request: EndpointRequest
}

export interface VirtualRun {
  readonly recorder: RunRecorder
  readonly sent: readonly SentRequest[]
  readonly peakInFlight: number
  readonly clock: ManualClock
}

export function workloadOf(graphs: readonly ReplayGraph[]): Workload {
  return {
    name: 'sketched',
    async *open() {
      yield* graphs
    },
  }
}

export function saying(content: string): ExchangeResult {
  return { state: 'ok', finishReason: 'stop', message: { role: 'assistant', parts: [{ type: 'text', text: content }] } }
}

export function failing(label: `http_${number}` | 'connect_refused' | 'idle_timeout' = 'http_500'): ExchangeResult {
  return { state: 'failed', error: { label, message: `the server said ${label}` } }
}

/**
 * Replays in virtual time against a server that answers as scripted: no socket, no waiting, the same every time.
 */
export async function virtualRun(
  options: Omit<ReplayOptions, 'workload'> & { readonly graphs: readonly ReplayGraph[] },
  answer: (request: EndpointRequest, n: number, nowMs: number) => ScriptedAnswer = () => ({}),
  during: (clock: ManualClock) => void = () => {},
): Promise<VirtualRun> {
  const { graphs, ...rest } = options
  const clock = manualClock()
  const recorder = new RunRecorder()
  const server = scriptedEndpoint(clock, answer)
  const plan = planReplay({ ...rest, workload: workloadOf(graphs) })
  const corpus = new Corpus(
    plan.workload,
    { cwd: '.', warn: recorder.warn, onInvalidTrace: 'fail' },
    plan.isolateCache,
    plan.order,
  )
  const timeouts = { connectMs: 1, firstTokenMs: 1, idleMs: 1, callMs: 1 }
  const host = new LocalHost(
    clock,
    server.endpoint,
    { timeouts, kind: 'simulator', models: {}, attributeHeaders: {} },
    plan.policy,
  )
  const context = { clock, originMs: 0, host, recorder, corpus }
  await drive(clock, runStages(plan, context), during)
  return { recorder, sent: server.sent, clock, peakInFlight: server.peak() }
}

/** Moves the clock from timer to timer until the promise is settled. */
export async function drive(
  clock: ManualClock,
  promise: Promise<unknown>,
  during: (clock: ManualClock) => void = () => {},
): Promise<void> {
  let settled = false
  const done = promise.finally(() => {
    settled = true
  })
  // A rejection is thrown by the await below.
  done.catch(() => {})
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve))
    if (settled) break
    if (!clock.advanceToNext()) throw new Error('The run waits for something that cannot come: no timer is armed.')
    during(clock)
  }
  await done
}

export function scriptedEndpoint(
  clock: ManualClock,
  answer: (request: EndpointRequest, n: number, nowMs: number) => ScriptedAnswer,
) {
  const sent: SentRequest[] = []
  let inFlight = 0
  let peak = 0
  const endpoint: Endpoint = {
    send(request) {
      const sentMs = clock.now()
      const {
        result = saying(`live answer ${sent.length}`),
        latencyMs = 100,
        connectMs = 0,
        outputTokens = 4,
        connects = true,
      } = answer(request, sent.length, sentMs)
      sent.push({ sentMs, request })
      peak = Math.max(peak, ++inFlight)
      return new Promise<Exchange>((resolve) => {
        const end = (final: ExchangeResult) => {
          timer.cancel()
          request.signal?.removeEventListener('abort', abort)
          inFlight--
          const endMs = clock.now()
          const outputTimesMs = final.state === 'ok' ? [sentMs + latencyMs / 2, endMs] : []
          resolve({
            result: final,
            queuedMs: sentMs,
            sentMs: connects ? sentMs + connectMs : null,
            outputTimesMs,
            endMs,
            usage: final.state === 'ok' ? { outputTokens } : null,
          })
        }
        const abort = () => end({ state: 'failed', error: { label: 'aborted', message: 'aborted' } })
        const timer = clock.after(latencyMs, () => end(result))
        request.signal?.addEventListener('abort', abort, { once: true })
        if (request.signal?.aborted === true) abort()
      })
    },
    close: async () => {},
  }
  return { endpoint, sent, peak: () => peak }
}
