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
  // Assigned one by one: it is read once per response, and spreading what may be absent takes ten times as long.
  const usage: { -readonly [Name in keyof TokenUsage]: TokenUsage[Name] } = {}
  const inputTokens = countOf(value.prompt_tokens) ?? countOf(value.input_tokens)
  if (inputTokens !== undefined) usage.inputTokens = inputTokens
  const outputTokens = countOf(value.completion_tokens) ?? countOf(value.output_tokens)
  if (outputTokens !== undefined) usage.outputTokens = outputTokens
  const cachedInputTokens =
    countOf(prompt.cached_tokens) ??
    countOf(value.prompt_cache_hit_tokens) ??
    countOf(value.cached_tokens) ??
    countOf(value.cache_read_input_tokens)
  if (cachedInputTokens !== undefined) usage.cachedInputTokens = cachedInputTokens
  const cacheWriteTokens = countOf(prompt.cache_write_tokens) ?? countOf(value.cache_creation_input_tokens)
  if (cacheWriteTokens !== undefined) usage.cacheWriteTokens = cacheWriteTokens
  const reasoningTokens = countOf(completion.reasoning_tokens) ?? countOf(value.reasoning_tokens)
  if (reasoningTokens !== undefined) usage.reasoningTokens = reasoningTokens
  return Object.keys(usage).length === 0 ? null : usage
}
