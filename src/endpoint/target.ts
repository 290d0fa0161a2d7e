import type { Duration } from '../base/index.ts'
import type { ApiName } from './api-name.ts'
import type { RequestTimeouts } from './endpoint.ts'
import type { ServerDialect } from './server-dialect.ts'
import type { MetricsOptions, MetricsTarget } from './server-metrics/metrics-target.ts'
import type { TlsOptions, TlsSettings } from './tls-options.ts'

/** Where the load goes. */
export interface TargetOptions {
  /** What the server is: sets the request fields it understands. */
  readonly kind: TargetKind
  /**
   * Which API the requests are written for: OpenAI `'chat'` completions, `'completions'` or `'responses'`, or Anthropic
   * `'messages'`. @default the one `url` ends in, else `'messages'` for `kind: 'anthropic'` and `'chat'` for all others
   */
  readonly api?: ApiName
  /**
   * Base URL: `http://127.0.0.1:8000`, with or without a trailing `/v1`. A path in front of it is kept, and so is one that
   * names another version (`/v1beta/openai`). A URL that ends in an API's own path (`/chat/completions`) is taken as it is.
   */
  readonly url: string
  /** The model every request asks for. Defaults to the recorded model of each call. */
  readonly model?: string
  /** Recorded model → the one asked for; goes before `model`, which stands for all others. */
  readonly models?: Readonly<Record<string, string>>
  /**
   * Sent as `Authorization: Bearer …`, to Anthropic as `x-api-key`. Never reported. @default the environment variable
   * `apiKeyVariable` names
   */
  readonly apiKey?: string
  /** Environment variable that holds the key. @default `OPENAI_API_KEY` or `ANTHROPIC_API_KEY` for those kinds, none for others */
  readonly apiKeyVariable?: string
  /** Further request headers; they win over those we set ourselves. Values of `authorization` and its like are never reported. */
  readonly headers?: Readonly<Record<string, string>>
  /** Extra body fields, merged last, `messages` excepted: `{ chat_template_kwargs: { enable_thinking: false } }`. */
  readonly body?: Readonly<Record<string, unknown>>
  /** A request header that carries the replayed session's id, for routers that keep a session on one server: `'x-session-id'`. */
  readonly sessionHeader?: string
  /**
   * A response header by which a router names the server it chose: its latest value is sent back in the session's later
   * requests, under the same name. @default `'x-session-token'` for `kind: 'llm-d'`, none for others
   */
  readonly sessionTokenHeader?: string
  /** Request header → the span attribute (of the call, else of its session) whose value it carries: `{ 'x-tenant': 'tenant.id' }`. */
  readonly attributeHeaders?: Readonly<Record<string, string>>
  /** Certificates, for https. @default the system's authorities, and none of ours */
  readonly tls?: TlsOptions
  /** `false` opens a connection for each request, for servers and balancers that close or choose by connection. @default true */
  readonly keepAlive?: boolean
  /** Speak HTTP/2 where an https server offers it; each request still has a connection of its own. @default false */
  readonly http2?: boolean
  /** Which field carries the output limit in chat completions. Defaults by kind. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  readonly timeouts?: TimeoutOptions
  /**
   * Whether the server's own metrics (Prometheus, of vLLM, SGLang and TGI) are looked at while it is measured, and where: what
   * it says of its queue and its cache is part of the run, and of messages where it explains a failure. @default false
   */
  readonly metrics?: boolean | MetricsOptions
}

/** Servers whose dialect of these APIs is known. */
export type TargetKind = 'openai' | 'anthropic' | 'vllm' | 'sglang' | 'tgi' | 'llm-d' | 'dynamo' | 'llama.cpp' | 'simulator'

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
  readonly api: ApiName
  /** Scheme, host and port: `http://127.0.0.1:8000`. */
  readonly origin: string
  /** What stands before an API's own path, without a trailing slash: `/v1`. */
  readonly basePath: string
  /** The URL's query, sent with every request: `''` or `?api-version=1`. */
  readonly query: string
  /** For reports: origin and base path, without query. */
  readonly url: string
  readonly model?: string
  readonly models: Readonly<Record<string, string>>
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly dialect: ServerDialect
  /** Lower-case names, as are those of `attributeHeaders`. */
  readonly sessionHeader?: string
  readonly sessionTokenHeader?: string
  readonly attributeHeaders: Readonly<Record<string, string>>
  readonly tls?: TlsSettings
  readonly http2: boolean
  readonly keepAlive: boolean
  /** Where a key was looked for, when there is none. */
  readonly unsetKeyVariable?: string
  readonly timeouts: RequestTimeouts
  readonly metrics?: MetricsTarget
  /** What must appear in no message: the key and its like. */
  readonly secrets: readonly string[]
}
