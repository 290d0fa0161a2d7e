import type { Dispatcher } from 'undici'
import { type Clock, formatDuration } from '../base/index.ts'
import type { AfterReads, Reading } from './after-reads.ts'
import type { RequestChannel } from './connection.ts'
import { type DeadlineOwner, Deadlines, type TimeoutLabel } from './deadlines.ts'
import type { EndpointRequest, Exchange, ExchangeError, ExchangeResult } from './endpoint.ts'
import { GrowingTimes } from './growing-times.ts'
import type { RequestFacts, ResponseHeaders } from './http-failure.ts'
import type { Abortable } from './in-flight.ts'
import { IncomingAnswer, IncomingRefusal, type IncomingResponse } from './incoming-response.ts'
import { scrub, secretsAmong } from './secrets.ts'
import { transportFailure } from './transport-failure.ts'
import type { ResponseReader } from './wire-api.ts'

/** What an exchange needs from the endpoint it belongs to. */
export interface ExchangeContext {
  readonly clock: Clock
  readonly afterReads: AfterReads
  /** `127.0.0.1:8000`, for messages. */
  readonly host: string
  readonly facts: Omit<RequestFacts, 'model'>
  readonly secrets: readonly string[]
  /** Response header to be handed on. */
  readonly sessionTokenHeader?: string
  /** Called once, when nothing more will come of it. */
  onSettled(exchange: PendingExchange): void
}

const NOTHING_READ: Buffer[] = []

interface End {
  readonly atMs: number
  /** Absent when the response ended in good order. */
  readonly error?: Error
}

/**
 * One request from `send` to its result. Callbacks of the connection only note the time and keep the bytes; what they mean
 * is worked out in `takeIn`, once every ready socket has been read.
 */
export class PendingExchange implements Dispatcher.DispatchHandler, Reading, Abortable, DeadlineOwner {
  readonly result: Promise<Exchange>
  readonly signal: AbortSignal | undefined
  place = -1
  readonly #context: ExchangeContext
  readonly #request: EndpointRequest
  readonly #channel: RequestChannel
  readonly #reader: ResponseReader
  readonly #deadlines: Deadlines
  readonly #queuedMs: number
  #resolve: (exchange: Exchange) => void = nobody
  #reject: (error: unknown) => void = nobody
  #settled = false

  #sentMs: number | null = null
  #sessionToken: string | undefined
  #response: IncomingResponse | undefined
  readonly #outputTimesMs = new GrowingTimes()
  /** What the last read of the socket has brought and no one has looked at. */
  #unseen: Buffer[] = NOTHING_READ
  #readMs = 0
  #end: End | undefined

  constructor(
    context: ExchangeContext,
    request: EndpointRequest,
    channel: RequestChannel,
    reader: ResponseReader,
    queuedMs: number,
  ) {
    this.signal = request.signal
    this.#context = context
    this.#request = request
    this.#channel = channel
    this.#reader = reader
    this.#queuedMs = queuedMs
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#deadlines = new Deadlines(context.clock, request.timeouts, queuedMs, this)
  }

  onRequestStart(): void {
    this.#sentMs = this.#context.clock.now()
    this.#deadlines.sent(this.#sentMs)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    // 103 and its like come before the answer.
    if (status < 200) return
    const { sessionTokenHeader } = this.#context
    if (sessionTokenHeader !== undefined) this.#sessionToken = lastOf(headers[sessionTokenHeader])
    this.#response =
      status < 300
        ? new IncomingAnswer(headers, this.#reader, this.#context.facts.url, this.#outputTimesMs)
        : new IncomingRefusal(status, headers, { ...this.#context.facts, model: this.#request.model })
  }

  /** Hot path. One read of the socket comes as many chunks when the server sent many: they share its time. */
  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#unseen.length > 0) {
      this.#unseen.push(chunk)
      return
    }
    // Most reads bring one chunk: an array made by `push` would have room for seventeen.
    this.#unseen = [chunk]
    this.#readMs = this.#context.clock.now()
    this.#context.afterReads.add(this)
  }

  onResponseEnd(): void {
    this.#end = { atMs: this.#context.clock.now() }
    if (this.#unseen.length === 0) this.#context.afterReads.add(this)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end = { atMs: this.#context.clock.now(), error }
    this.takeIn()
  }

  /** Works out what the bytes read so far mean, and whether the exchange is over. */
  takeIn(): void {
    if (this.#settled) return
    this.#takeInBytes()
    if (this.#settled) return
    if (this.#end !== undefined) {
      this.#conclude(this.#end)
      return
    }
    if (this.#outputTimesMs.length > 0) this.#deadlines.output()
    if (this.#response?.doneMs !== undefined) this.#deadlines.done(this.#response.doneMs)
  }

  #takeInBytes(): void {
    const response = this.#response
    const unseen = this.#unseen
    if (unseen.length === 0 || response === undefined) return
    this.#unseen = NOTHING_READ
    this.#deadlines.read(this.#readMs)
    const error = response.push(unseen, this.#readMs)
    if (error === undefined) return
    this.#finish({ state: 'failed', error }, this.#readMs)
    this.#channel.destroy()
  }

  #conclude({ atMs, error }: End): void {
    const response = this.#response
    if (error === undefined && response !== undefined) {
      this.#finish(response.end(atMs), response.doneMs ?? atMs)
      this.#channel.release()
    } else if (isProgrammingError(error)) {
      this.#settle()
      this.#channel.destroy()
      this.#reject(error)
    } else {
      const phase = response !== undefined ? 'answered' : this.#sentMs === null ? 'connecting' : 'sent'
      this.#giveUp(transportFailure(error, phase, this.#context.host), atMs)
    }
  }

  abort(): void {
    this.takeIn()
    this.#giveUp({ label: 'aborted', message: 'the request was aborted' })
  }

  onDeadline(): void {
    // After the reads: bytes that are here but wait behind a busy event loop are no fault of the server.
    this.#context.afterReads.add({
      takeIn: () => {
        this.takeIn()
        const label = this.#settled ? undefined : this.#deadlines.expired()
        if (label !== undefined) this.#giveUp(this.#timeout(label))
      },
    })
  }

  /**
   * Ends the exchange without the response's end: with what has arrived where that is enough (a connection that breaks after
   * the response has said it is complete takes nothing away), else with the error.
   */
  #giveUp(error: ExchangeError, atMs: number = this.#context.clock.now()): void {
    if (this.#settled) return
    const response = this.#response
    // Settled first: the connection reports its own end while it is closed.
    this.#finish(response?.soFar() ?? { state: 'failed', error }, response?.doneMs ?? atMs)
    this.#channel.destroy()
  }

  #finish(result: ExchangeResult, endMs: number): void {
    this.#settle()
    const { servedModel, usage } = this.#reader
    const exchange: { -readonly [Name in keyof Exchange]: Exchange[Name] } = {
      result: result.state === 'ok' ? result : { state: 'failed', error: this.#scrubbed(result.error) },
      queuedMs: this.#queuedMs,
      sentMs: this.#sentMs,
      outputTimesMs: this.#outputTimesMs.toArray(),
      endMs,
      usage,
    }
    if (servedModel !== undefined) exchange.servedModel = servedModel
    if (this.#sessionToken !== undefined) exchange.sessionToken = this.#sessionToken
    this.#resolve(exchange)
  }

  #settle(): void {
    this.#settled = true
    this.#deadlines.cancel()
    this.#context.onSettled(this)
  }

  #scrubbed(error: ExchangeError): ExchangeError {
    const secrets = [...this.#context.secrets, ...secretsAmong(Object.entries(this.#request.headers ?? {}))]
    return { ...error, message: scrub(error.message, secrets) }
  }

  #timeout(label: TimeoutLabel): ExchangeError {
    const { timeouts } = this.#request
    const { url } = this.#context.facts
    switch (label) {
      case 'connect_timeout':
        return {
          label,
          message: `no connection to ${this.#context.host} within ${formatDuration(timeouts.connectMs)} (\`timeouts.connect\`): is it reachable from here?`,
        }
      case 'first_token_timeout':
        return {
          label,
          message: `POST ${url}: no output within ${formatDuration(timeouts.firstTokenMs)} (\`timeouts.firstToken\`); ${this.#response === undefined ? 'the server did not answer at all' : 'the server answered, but sent no token'}.`,
        }
      case 'idle_timeout':
        return {
          label,
          message: `POST ${url}: nothing came for ${formatDuration(timeouts.idleMs)} (\`timeouts.idle\`) after ${this.#outputTimesMs.length} chunks of output.`,
        }
      case 'call_timeout':
        return {
          label,
          message: `POST ${url}: not done within ${formatDuration(timeouts.callMs)} (\`timeouts.call\`) after ${this.#outputTimesMs.length} chunks of output.`,
        }
    }
  }
}

function nobody(): void {}

function lastOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.at(-1)
}

/** The connection refused the request itself: a header that cannot be sent, a path that is none. */
function isProgrammingError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'UND_ERR_INVALID_ARG' || error.code === 'UND_ERR_NOT_SUPPORTED')
  )
}
