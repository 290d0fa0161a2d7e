import { Readable } from 'node:stream'
import { type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { type Clock, TraceReplayError } from '../../base/index.ts'
import { HubFailure, shownUrl } from './hub-failure.ts'
import { discard, readRefusal, responseHeader } from './hub-response.ts'

/** How long what may take, and how patient to be. */
export interface HubTiming {
  readonly connectMs: number
  /** From the request to the head of the answer. */
  readonly answerMs: number
  /** Between two pieces of an answer. */
  readonly idleMs: number
  /** Of a request that changes something: the hub works while it waits. */
  readonly changeMs: number
  /** Attempts without any progress. */
  readonly attempts: number
  /** Before the second attempt; doubled before each further one. */
  readonly backoffMs: number
  /** Longest wait that a hub may ask for, and all waits of one request together. */
  readonly longestWaitMs: number
}

export const HUB_TIMING: HubTiming = {
  connectMs: 10_000,
  answerMs: 30_000,
  idleMs: 30_000,
  changeMs: 300_000,
  attempts: 5,
  backoffMs: 500,
  longestWaitMs: 60_000,
}

export interface HubRequest {
  readonly method: Dispatcher.HttpMethod
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Blob | undefined
}

export interface HubResponse {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly body: Dispatcher.ResponseData['body']
  /** Where the answer came from, after redirects. */
  readonly url: string
}

export interface HubConnectionOptions {
  readonly hubUrl: string
  readonly token: string | undefined
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  readonly timing?: HubTiming
}

const MOST_REDIRECTS = 5
/** A page of a listing is some hundred kilobytes. */
const LARGEST_API_ANSWER_BYTES = 64 * 1024 * 1024
const LOOPBACK = 'localhost,127.0.0.1,[::1]'

/**
 * Requests to the hub and to the storages that it redirects to: through the environment's proxy, with time limits, repeated
 * where that may help. The token goes to the hub's own origin and nowhere else.
 */
export class HubConnection {
  readonly hubUrl: string
  readonly #token: string | undefined
  readonly #clock: Clock
  readonly #signal: AbortSignal | undefined
  readonly #timing: HubTiming
  readonly #agent: Dispatcher

  constructor({ hubUrl, token, clock, signal, timing = HUB_TIMING }: HubConnectionOptions) {
    this.hubUrl = hubUrl
    this.#token = token
    this.#clock = clock
    this.#signal = signal
    this.#timing = timing
    const noProxy = [process.env.no_proxy ?? process.env.NO_PROXY ?? '', LOOPBACK].join(',')
    this.#agent = new EnvHttpProxyAgent({ noProxy, connect: { timeout: timing.connectMs } })
  }

  get hasToken(): boolean {
    return this.#token !== undefined
  }

  /** For `@huggingface/hub`. Rejects with a {@link HubFailure} where the library would make an error of its own. */
  readonly fetch: typeof fetch = async (input, init = {}) => {
    const body = init.body
    if (typeof body !== 'string' && !(body instanceof Blob) && body !== undefined && body !== null) {
      throw new TypeError('The body of a request to the hub must be a text or a Blob.')
    }
    const request: HubRequest = {
      method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
      url: input instanceof Request ? input.url : String(input),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: body ?? undefined,
    }
    return this.retrying(async () => {
      const response = await this.send(request)
      const bytes = await readBounded(response)
      return new Response(bytes.length === 0 ? null : bytes, { status: response.status, headers: plainHeaders(response) })
    }, isRepeatable(request))
  }

  /**
   * One exchange, redirects followed.
   *
   * @throws {HubFailure} also for an answer that is a refusal, except 416
   */
  async send(request: HubRequest): Promise<HubResponse> {
    let url = request.url
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const response = await this.#exchange({ ...request, url })
      const { status } = response
      const location = responseHeader(response, 'location')
      if (status < 300 || status >= 400 || location === undefined) {
        if (status >= 400 && status !== 416) throw new HubFailure(url, await readRefusal(response, this.#token))
        return response
      }
      discard(response)
      url = this.#redirected(url, location, request.method, status)
    }
    throw new HubFailure(request.url, {
      kind: 'answer',
      message: `more than ${MOST_REDIRECTS} redirects, the last to ${shownUrl(url)}.`,
    })
  }

  /**
   * Repeats an attempt that failed for a passing reason, with growing waits or those that the hub asks for.
   *
   * @param repeatable `false`: only where the hub refused to begin
   * @param progress of all attempts so far; while it grows, attempts do not run out
   */
  async retrying<T>(attempt: () => Promise<T>, repeatable = true, progress: () => number = () => 0): Promise<T> {
    const { attempts, backoffMs, longestWaitMs } = this.#timing
    let waitedMs = 0
    let failed = 0
    let reached = progress()
    for (;;) {
      this.#signal?.throwIfAborted()
      try {
        return await attempt()
      } catch (error) {
        this.#signal?.throwIfAborted()
        if (!(error instanceof HubFailure) || !(repeatable ? error.passing : wasNotBegun(error))) throw error
        if (progress() > reached) {
          failed = 0
          waitedMs = 0
          reached = progress()
        }
        failed++
        error.attempts = failed
        const asked = error.reason.kind === 'status' ? error.reason.retryAfterMs : undefined
        const waitMs = asked ?? backoffMs * 2 ** (failed - 1)
        if (failed >= attempts || waitedMs + waitMs > longestWaitMs) throw error
        waitedMs += waitMs
        await this.#wait(waitMs)
      }
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  async #exchange({ method, url, headers = {}, body }: HubRequest): Promise<HubResponse> {
    const { answerMs, idleMs, changeMs } = this.#timing
    const changes = method !== 'GET' && method !== 'HEAD'
    const { origin, pathname, search } = new URL(url)
    try {
      const { statusCode, ...response } = await this.#agent.request({
        origin,
        path: `${pathname}${search}`,
        method,
        headers: {
          ...withoutToken(headers),
          'user-agent': 'vitest-trace-replay',
          ...this.#authorization(origin),
          ...lengthOf(body),
        },
        body: body instanceof Blob ? Readable.fromWeb(body.stream()) : (body ?? null),
        headersTimeout: changes ? changeMs : answerMs,
        bodyTimeout: idleMs,
        signal: this.#signal ?? null,
      })
      return { status: statusCode, headers: response.headers, body: response.body, url }
    } catch (error) {
      throw connectionFailure(url, error)
    }
  }

  #authorization(origin: string): Record<string, string> {
    return this.#token !== undefined && origin === new URL(this.hubUrl).origin ? { authorization: `Bearer ${this.#token}` } : {}
  }

  #redirected(from: string, location: string, method: string, status: number): string {
    const next = URL.canParse(location, from) ? new URL(location, from) : undefined
    const refusal =
      next === undefined || !/^https?:$/.test(next.protocol)
        ? 'to what is no web address'
        : next.protocol === 'http:' && new URL(from).protocol === 'https:'
          ? 'from https to http'
          : method !== 'GET' && method !== 'HEAD' && status !== 307 && status !== 308
            ? `a ${method} with status ${status}`
            : undefined
    if (next !== undefined && refusal === undefined) return next.href
    throw new HubFailure(from, { kind: 'answer', message: `it redirects ${refusal}.` })
  }

  #wait(delayMs: number): Promise<void> {
    const signal = this.#signal
    return new Promise((resolve, reject) => {
      const timer = this.#clock.after(delayMs, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      const abort = () => {
        timer.cancel()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
    })
  }
}

/** What undici throws, also in the middle of a body; anything else as it is. */
export function connectionFailure(url: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TraceReplayError || error instanceof HubFailure) return error
  if (error.name === 'AbortError' || error instanceof TypeError || error instanceof RangeError) return error
  // A name with several addresses fails with one error for all of them.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error
  const code = inner instanceof Error && 'code' in inner && typeof inner.code === 'string' ? inner.code : error.name
  return new HubFailure(url, { kind: 'connection', code, message: error.message })
}

function isRepeatable({ method }: HubRequest): boolean {
  return method !== 'POST'
}

/** A hub that is busy or that nobody reached has done nothing yet. */
function wasNotBegun({ reason }: HubFailure): boolean {
  if (reason.kind === 'status') return reason.status === 429 || reason.status === 503
  return reason.kind === 'connection' && /^(?:ECONNREFUSED|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(reason.code)
}

/** The library puts the token on some requests to storages. */
function withoutToken(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'))
}

function lengthOf(body: string | Blob | undefined): Record<string, string> {
  return body instanceof Blob ? { 'content-length': String(body.size) } : {}
}

function plainHeaders({ headers }: HubResponse): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => {
    // The body arrives here unpacked and whole.
    if (value === undefined || /^(?:content-length|content-encoding|transfer-encoding)$/.test(name)) return []
    return [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]]
  })
}

async function readBounded({ body, url }: HubResponse): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of body) {
      pieces.push(piece)
      size += piece.length
      if (size > LARGEST_API_ANSWER_BYTES)
        throw new HubFailure(url, { kind: 'answer', message: `its answer is longer than ${size} bytes.` })
    }
  } catch (error) {
    throw connectionFailure(url, error)
  }
  return Buffer.concat(pieces)
}
