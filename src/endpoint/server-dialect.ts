import type { ApiName } from './api-name.ts'
import type { TargetKind } from './target.ts'

/** Where servers that speak the same API differ. Plain data: a target crosses thread borders. */
export interface ServerDialect {
  /** The API it is asked by, unless the target names another. */
  readonly api: ApiName
  /** The field that carries the output limit in chat completions. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** The least `max_output_tokens` its Responses API takes. @default 1 */
  readonly leastResponseTokens?: number
  /** Knows `ignore_eos` and `min_tokens`, so that the length of an output can be set exactly. */
  readonly forcesOutputLength: boolean
  /** Knows `top_k` in the OpenAI APIs. */
  readonly topK: boolean
  /** Fields in which an assistant message takes its reasoning back; empty: reasoning is not sent. */
  readonly reasoningFields: readonly string[]
  /** When the usage holds cached prompt tokens; otherwise what makes the server report them, for messages to people. */
  readonly cachedTokens: 'always' | 'never' | { readonly enabledBy: string }
  /** Which JSON Schemas tools may have: `'xgrammar'` where the server makes such a grammar to force a tool call. */
  readonly toolSchemas: 'any' | 'xgrammar'
  /** Takes the name of one function as `tool_choice`; where it does not, some function is required. */
  readonly namesToolChoice: boolean
  /** The field of the completions API that takes a JSON Schema, so that a tool call can be had as text. */
  readonly completionsSchema: 'response_format' | 'json_schema' | 'none'
  /** The header that carries the key. */
  readonly keyHeader: 'authorization' | 'x-api-key'
  /** The environment variable that holds the key when the options have none. */
  readonly apiKeyVariable?: string
  /** The response header by which a router wants to know a session again. */
  readonly sessionTokenHeader?: string
}

// vLLM reads `reasoning` since 0.16 and `reasoning_content` before, and ignores what it does not know.
const vllm: ServerDialect = {
  api: 'chat',
  maxTokensField: 'max_tokens',
  forcesOutputLength: true,
  topK: true,
  reasoningFields: ['reasoning', 'reasoning_content'],
  cachedTokens: { enabledBy: '--enable-prompt-tokens-details' },
  toolSchemas: 'xgrammar',
  namesToolChoice: true,
  completionsSchema: 'response_format',
  keyHeader: 'authorization',
}

/** What a server knows that keeps to the published API. */
const plain: ServerDialect = {
  api: 'chat',
  maxTokensField: 'max_tokens',
  forcesOutputLength: false,
  topK: false,
  reasoningFields: [],
  cachedTokens: 'always',
  toolSchemas: 'any',
  namesToolChoice: true,
  completionsSchema: 'none',
  keyHeader: 'authorization',
}

export const serverDialects: Readonly<Record<TargetKind, ServerDialect>> = {
  openai: { ...plain, maxTokensField: 'max_completion_tokens', leastResponseTokens: 16, apiKeyVariable: 'OPENAI_API_KEY' },
  anthropic: { ...plain, api: 'messages', keyHeader: 'x-api-key', apiKeyVariable: 'ANTHROPIC_API_KEY' },
  vllm,
  'llm-d': { ...vllm, sessionTokenHeader: 'x-session-token' },
  sglang: { ...vllm, reasoningFields: ['reasoning_content'], cachedTokens: { enabledBy: '--enable-cache-report' } },
  tgi: { ...plain, cachedTokens: 'never' },
  dynamo: { ...vllm, reasoningFields: ['reasoning_content'], cachedTokens: 'always' },
  'llama.cpp': {
    ...plain,
    forcesOutputLength: true,
    topK: true,
    reasoningFields: ['reasoning_content'],
    namesToolChoice: false,
    completionsSchema: 'json_schema',
  },
  simulator: { ...vllm, reasoningFields: ['reasoning_content'], cachedTokens: 'always', toolSchemas: 'any' },
}
