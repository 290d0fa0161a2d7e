import type { TargetKind } from './target.ts'

/** Where servers that speak the same API differ. Plain data: a target crosses thread borders. */
export interface ServerDialect {
  /** The field that carries the output limit. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** Knows `ignore_eos` and `min_tokens`, so that the length of an output can be set exactly. */
  readonly forcesOutputLength: boolean
  /** Knows `top_k`. */
  readonly topK: boolean
  /** Fields in which an assistant message takes its reasoning back; empty: reasoning is not sent. */
  readonly reasoningFields: readonly string[]
  /** When the usage holds cached prompt tokens; otherwise what makes the server report them, for messages to people. */
  readonly cachedTokens: 'always' | 'never' | { readonly enabledBy: string }
  /** The environment variable that holds the key when the options have none. */
  readonly apiKeyVariable?: string
}

// vLLM reads `reasoning` since 0.16 and `reasoning_content` before, and ignores what it does not know.
const vllm: ServerDialect = {
  maxTokensField: 'max_tokens',
  forcesOutputLength: true,
  topK: true,
  reasoningFields: ['reasoning', 'reasoning_content'],
  cachedTokens: { enabledBy: '--enable-prompt-tokens-details' },
}

export const serverDialects: Readonly<Record<TargetKind, ServerDialect>> = {
  openai: {
    maxTokensField: 'max_completion_tokens',
    forcesOutputLength: false,
    topK: false,
    reasoningFields: [],
    cachedTokens: 'always',
    apiKeyVariable: 'OPENAI_API_KEY',
  },
  vllm,
  'llm-d': vllm,
  sglang: { ...vllm, reasoningFields: ['reasoning_content'], cachedTokens: { enabledBy: '--enable-cache-report' } },
  tgi: {
    maxTokensField: 'max_tokens',
    forcesOutputLength: false,
    topK: false,
    reasoningFields: [],
    cachedTokens: 'never',
  },
  dynamo: { ...vllm, reasoningFields: ['reasoning_content'], cachedTokens: 'always' },
  simulator: { ...vllm, reasoningFields: ['reasoning_content'], cachedTokens: 'always' },
}
