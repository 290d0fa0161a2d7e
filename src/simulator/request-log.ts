import type { FaultAction } from './fault-options.ts'

/** One request that reached the simulator, and what became of it. Times are the simulator's clock's, in milliseconds. */
export interface SimulatedRequest {
  /** 1 for the first; in order of arrival. */
  readonly ordinal: number
  readonly method: string
  readonly path: string
  /** Without credentials. Repeated headers are joined as node does. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON body; `undefined` where there was none, it was not JSON, or it had to make room (`recordBodyBytes`). */
  readonly body: unknown
  readonly receivedMs: number
  readonly firstTokenMs: number | null
  readonly endedMs: number | null
  readonly outcome: RequestOutcome
  /** HTTP status, once known. */
  readonly status: number | null
  readonly fault: FaultAction['kind'] | null
  readonly promptTokens: number | null
  readonly cachedTokens: number | null
  /** Tokens written, also by a request that did not end well. */
  readonly completionTokens: number
}

/**
 * - `pending` not yet ended
 * - `answered` the whole response went out, an error status included
 * - `broken` a fault broke the response off
 * - `disconnected` the client went away, or the simulator was closed, before the end
 */
export type RequestOutcome = 'pending' | 'answered' | 'broken' | 'disconnected'

/** The same, while it is being written. */
export type LoggedRequest = { -readonly [Key in keyof SimulatedRequest]: SimulatedRequest[Key] }

const CREDENTIAL_HEADERS = new Set(['authorization', 'proxy-authorization', 'x-api-key', 'api-key', 'cookie'])

/** The latest requests, bounded in number and in the bytes of their bodies. */
export class RequestLog {
  readonly #maxRequests: number
  readonly #maxBodyBytes: number
  #received = 0
  #bodyBytes = 0
  #entries: LoggedRequest[] = []
  /** Entries that still have their body, with its size, oldest first. */
  readonly #bodies = new Map<LoggedRequest, number>()

  constructor(maxRequests: number, maxBodyBytes: number) {
    this.#maxRequests = maxRequests
    this.#maxBodyBytes = maxBodyBytes
  }

  get received(): number {
    return this.#received
  }

  get requests(): readonly SimulatedRequest[] {
    return this.#entries.slice(Math.max(0, this.#entries.length - this.#maxRequests))
  }

  open(method: string, path: string, headers: NodeJS.Dict<string | string[]>, receivedMs: number): LoggedRequest {
    const entry: LoggedRequest = {
      ordinal: ++this.#received,
      method,
      path,
      headers: this.#maxRequests === 0 ? {} : withoutCredentials(headers),
      body: undefined,
      receivedMs,
      firstTokenMs: null,
      endedMs: null,
      outcome: 'pending',
      status: null,
      fault: null,
      promptTokens: null,
      cachedTokens: null,
      completionTokens: 0,
    }
    if (this.#maxRequests > 0) this.#entries.push(entry)
    // Cut in large pieces: shifting one entry per request would move the whole array each time.
    if (this.#entries.length >= 2 * this.#maxRequests) {
      for (const dropped of this.#entries.splice(0, this.#entries.length - this.#maxRequests)) this.#dropBody(dropped)
    }
    return entry
  }

  keepBody(entry: LoggedRequest, body: unknown, bytes: number): void {
    if (this.#maxRequests === 0 || bytes > this.#maxBodyBytes) return
    entry.body = body
    this.#bodies.set(entry, bytes)
    this.#bodyBytes += bytes
    for (const [oldest] of this.#bodies) {
      if (this.#bodyBytes <= this.#maxBodyBytes) break
      this.#dropBody(oldest)
    }
  }

  #dropBody(entry: LoggedRequest): void {
    this.#bodyBytes -= this.#bodies.get(entry) ?? 0
    this.#bodies.delete(entry)
    entry.body = undefined
  }
}

function withoutCredentials(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !CREDENTIAL_HEADERS.has(name)) kept[name] = [value].flat().join(', ')
  }
  return kept
}
