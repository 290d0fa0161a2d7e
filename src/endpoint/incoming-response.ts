import { CollectedBytes } from './collected-bytes.ts'
import type { ExchangeError, ExchangeResult } from './endpoint.ts'
import type { GrowingTimes } from './growing-times.ts'
import { contentCoding, httpFailure, MAX_ERROR_BODY_BYTES, type RequestFacts, type ResponseHeaders } from './http-failure.ts'
import { excerpt } from './json-value.ts'
import { SniffedBody } from './response-body.ts'
import type { ResponseFailure, ResponseReader } from './wire-api.ts'

/** A response whose head has come: takes its bytes and says what they amount to. */
export interface IncomingResponse {
  /** Takes the chunks of one read; returns a failure that ends the exchange at once, without waiting for the rest. Hot path. */
  push(chunks: readonly Buffer[], atMs: number): ExchangeError | undefined
  /** The response ended in good order. */
  end(atMs: number): ExchangeResult
  /** What it amounts to although its end has not come; `undefined` when that cannot be said. */
  soFar(): ExchangeResult | undefined
  /** When the response said itself that it is complete. */
  readonly doneMs: number | undefined
}

/** A response with a success status. */
export class IncomingAnswer implements IncomingResponse {
  readonly #reader: ResponseReader
  readonly #body: SniffedBody
  readonly #url: string
  readonly #outputTimesMs: GrowingTimes
  readonly #coding: string
  doneMs: number | undefined

  /** @param outputTimesMs takes the arrival of each piece of output */
  constructor(headers: ResponseHeaders, reader: ResponseReader, url: string, outputTimesMs: GrowingTimes) {
    this.#reader = reader
    this.#body = new SniffedBody(reader)
    this.#url = url
    this.#outputTimesMs = outputTimesMs
    this.#coding = contentCoding(headers)
  }

  push(chunks: readonly Buffer[], atMs: number): ExchangeError | undefined {
    // Not decoded: a compressor holds tokens back, their times would be its own.
    if (this.#coding !== 'identity') return this.#error(compressed(this.#coding))
    this.#body.push(chunks)
    return this.#note(atMs)
  }

  end(atMs: number): ExchangeResult {
    this.#body.end()
    const error = this.#coding === 'identity' ? this.#note(atMs) : this.#error(compressed(this.#coding))
    return error === undefined ? this.#outcome() : { state: 'failed', error }
  }

  soFar(): ExchangeResult | undefined {
    return this.doneMs === undefined ? undefined : this.#outcome()
  }

  #note(atMs: number): ExchangeError | undefined {
    while (this.#outputTimesMs.length < this.#reader.outputs) this.#outputTimesMs.add(atMs)
    if (this.#reader.done) this.doneMs ??= atMs
    const failure = this.#body.failure ?? this.#reader.failure
    return failure === undefined ? undefined : this.#error(failure)
  }

  #outcome(): ExchangeResult {
    const outcome = this.#reader.finish()
    if (outcome.state === 'ok') return outcome
    const { strayLine } = this.#body
    const stray = strayLine === undefined ? '' : `; between its events stands: ${excerpt(strayLine)}`
    return { state: 'failed', error: this.#error({ ...outcome.failure, message: outcome.failure.message + stray }) }
  }

  #error({ label, message }: ResponseFailure): ExchangeError {
    return { label, message: `POST ${this.#url}: ${message}` }
  }
}

/** A response with any other status: its body is read for what it says, as far as that is of use. */
export class IncomingRefusal implements IncomingResponse {
  readonly #status: number
  readonly #headers: ResponseHeaders
  readonly #facts: RequestFacts
  readonly #body = new CollectedBytes(MAX_ERROR_BODY_BYTES)
  readonly doneMs = undefined

  constructor(status: number, headers: ResponseHeaders, facts: RequestFacts) {
    this.#status = status
    this.#headers = headers
    this.#facts = facts
  }

  push(chunks: readonly Buffer[]): ExchangeError | undefined {
    return chunks.every((chunk) => this.#body.add(chunk)) ? undefined : this.#error()
  }

  end(): ExchangeResult {
    return this.soFar()
  }

  soFar(): ExchangeResult {
    return { state: 'failed', error: this.#error() }
  }

  #error(): ExchangeError {
    return httpFailure(this.#status, this.#headers, this.#body.take(), this.#facts)
  }
}

function compressed(coding: string): ResponseFailure {
  return {
    label: 'bad_response',
    message: `the response is compressed (content-encoding: ${coding}) though nothing asked for it. Switch compression off in the server or the proxy before it: it holds tokens back.`,
  }
}
