import type { Duration } from '../base/index.ts'
import type { RequestTimeouts } from './endpoint.ts'
import type { ServerDialect } from './server-dialect.ts'

/** Where the load goes. */
export interface TargetOptions {
  /** What the server is: sets the request fields it understands. */
  readonly kind: TargetKind
  /**
   * Base URL: `http://127.0.0.1:8000`, with or without a trailing `/v1`. A path in front of it is kept, and so is one that
   * names another version (`/v1beta/openai`). A URL that ends in `/chat/completions` is taken as it is.
   */
  readonly url: string
  /** The model every request asks for. Defaults to the recorded model of each call. */
  readonly model?: string
  /** Sent as `Authorization: Bearer …`. Defaults to `OPENAI_API_KEY` for `kind: 'openai'`, else none. Never reported. */
  readonly apiKey?: string
  /** Further request headers; they win over those we set ourselves. Values of `authorization` and its like are never reported. */
  readonly headers?: Readonly<Record<string, string>>
  /** Extra body fields, merged last, `messages` excepted: `{ chat_template_kwargs: { enable_thinking: false } }`. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Which field carries the output limit. Defaults by kind. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  readonly timeouts?: TimeoutOptions
}

/** Servers whose dialect of the OpenAI chat API is known. */
export type TargetKind = 'openai' | 'vllm' | 'sglang' | 'tgi' | 'llm-d' | 'dynamo' | 'simulator'

/** Each a {@link Duration}; `0` switches one off. */
export interface TimeoutOptions {
  /** @default '10s' */
  readonly connect?: Duration
  /** @default '5m' */
  readonly firstToken?: Duration
  /** @default '60s' */
  readonly idle?: Duration
  /** @default '15m' */
  readonly call?: Duration
}

/**
 * A target that can be used: every option checked and every default set. Plain data, so that it crosses thread borders.
 * `headers` holds the key: report `kind`, `url` and `model`, never the whole.
 */
export interface Target {
  readonly kind: TargetKind
  /** Scheme, host and port: `http://127.0.0.1:8000`. */
  readonly origin: string
  /** What stands before an API's own path, without a trailing slash: `/v1`. */
  readonly basePath: string
  /** The URL's query, sent with every request: `''` or `?api-version=1`. */
  readonly query: string
  /** For reports: origin and base path, without query. */
  readonly url: string
  readonly model?: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly dialect: ServerDialect
  readonly timeouts: RequestTimeouts
  /** What must appear in no message: the key and its like. */
  readonly secrets: readonly string[]
}
