import type { Duration } from '../base/index.ts'

/** Where the load goes. */
export interface TargetOptions {
  /** What the server is: sets the request fields it understands. */
  readonly kind: TargetKind
  /** Base URL, with or without a trailing `/v1`. */
  readonly url: string
  /** The model every request asks for. Defaults to the recorded model of each call. */
  readonly model?: string
  /** Sent as `Authorization: Bearer …`. Defaults to `OPENAI_API_KEY` for `kind: 'openai'`, else none. Never reported. */
  readonly apiKey?: string
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Extra body fields, merged last: `{ chat_template_kwargs: { enable_thinking: false } }`. */
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
