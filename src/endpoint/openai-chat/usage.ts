import type { TokenUsage } from '../../message/index.ts'
import { countOf, isObject, objectOf } from '../json-value.ts'

/**
 * Tokens as servers of this API report them. Cached prompt tokens stand under `prompt_tokens_details` (OpenAI, vLLM, SGLang,
 * Dynamo), `prompt_cache_hit_tokens` (DeepSeek), `cached_tokens` (Moonshot) or `cache_read_input_tokens` (gateways to
 * Anthropic). `null` when it holds no number.
 */
export function readUsage(value: unknown): TokenUsage | null {
  if (!isObject(value)) return null
  const prompt = objectOf(value.prompt_tokens_details ?? value.input_tokens_details)
  const completion = objectOf(value.completion_tokens_details ?? value.output_tokens_details)
  const usage = {
    inputTokens: countOf(value.prompt_tokens) ?? countOf(value.input_tokens),
    outputTokens: countOf(value.completion_tokens) ?? countOf(value.output_tokens),
    cachedInputTokens:
      countOf(prompt.cached_tokens) ??
      countOf(value.prompt_cache_hit_tokens) ??
      countOf(value.cached_tokens) ??
      countOf(value.cache_read_input_tokens),
    cacheWriteTokens: countOf(prompt.cache_write_tokens) ?? countOf(value.cache_creation_input_tokens),
    reasoningTokens: countOf(completion.reasoning_tokens) ?? countOf(value.reasoning_tokens),
  }
  const known = Object.entries(usage).filter(([, count]) => count !== undefined)
  return known.length === 0 ? null : Object.fromEntries(known)
}
