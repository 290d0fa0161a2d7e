import type { CallParams, Message, TokenUsage, ToolDefinition } from '../message/index.ts'

/** One inference server, ready to take requests. */
export interface Endpoint {
  /**
   * Sends one call and resolves when its response has ended, failed or been given up. A server fault, a timeout or an
   * abort is a result, never a rejection; only a programming error rejects.
   */
  send(request: EndpointRequest): Promise<Exchange>
  /** Destroys every socket at once. Pending `send`s resolve as aborted. */
  close(): Promise<void>
}

export interface EndpointRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  readonly toolChoice?: ToolChoice
  readonly params: CallParams
  /** Exact number of tokens the server should write, where it knows how (`ignore_eos`, `min_tokens`). */
  readonly forceOutputTokens?: number
  readonly stream: boolean
  readonly timeouts: RequestTimeouts
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** `{ name }` steers the model to that function. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** In milliseconds; `Infinity` switches one off. */
export interface RequestTimeouts {
  /** Until the socket is connected. */
  readonly connectMs: number
  /** Request sent → first chunk with output. */
  readonly firstTokenMs: number
  /** Between two reads of the response body. */
  readonly idleMs: number
  /** The whole call, connecting included. */
  readonly callMs: number
}

/** What came of one request. All times are the endpoint clock's `now()` in milliseconds, taken at the socket. */
export interface Exchange {
  readonly result: ExchangeResult
  /** When `send` was called. */
  readonly queuedMs: number
  /** When the request's head was written, connection established. `null` when it never was. */
  readonly sentMs: number | null
  /** Arrival of each chunk that carried output (text, reasoning, tool call), in order; a non-streaming response has one. */
  readonly outputTimesMs: readonly number[]
  /** When the response ended or the failure was known. */
  readonly endMs: number
  readonly usage: TokenUsage | null
  /** What the router answered in the target's `sessionTokenHeader`. */
  readonly sessionToken?: string
  /** Served model, where the response names it. */
  readonly servedModel?: string
}

export type ExchangeResult =
  | { readonly state: 'ok'; readonly message: Message; readonly finishReason: string }
  | { readonly state: 'failed'; readonly error: ExchangeError }

export interface ExchangeError {
  readonly label: FailureLabel
  /** For the person who reads it; never holds a key. */
  readonly message: string
  readonly status?: number
  readonly retryAfterMs?: number
}

/**
 * A stable name for each way a request can fail. `client_exhausted` is this machine without a descriptor or a port for another
 * connection, no fault of the server; `aborted` is the caller's own signal; `truncated` is a stream that ended
 * with neither `finish_reason` nor `[DONE]`; `stream_error` an error object inside a 200 stream; `bad_response` a body that
 * is not the API's; `http_429` and its like carry the status.
 */
export type FailureLabel =
  | `http_${number}`
  | 'connect_refused'
  | 'connect_failed'
  | 'client_exhausted'
  | 'dns'
  | 'tls'
  | 'connection_reset'
  | 'connect_timeout'
  | 'first_token_timeout'
  | 'idle_timeout'
  | 'call_timeout'
  | 'stream_error'
  | 'truncated'
  | 'empty_output'
  | 'bad_response'
  | 'aborted'
