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
  const usage: { -readonly [Name in keyof TokenUsage]: TokenUsage[Name] } = {}
  const note = (name: keyof TokenUsage, ...candidates: readonly unknown[]): void => {
    const count = candidates.map(countOf).find((candidate) => candidate !== undefined)
    if (count !== undefined) usage[name] = count
  }
  note('inputTokens', value.prompt_tokens, value.input_tokens)
  note('outputTokens', value.completion_tokens, value.output_tokens)
  note(
    'cachedInputTokens',
    prompt.cached_tokens,
    value.prompt_cache_hit_tokens,
    value.cached_tokens,
    value.cache_read_input_tokens,
  )
  note('cacheWriteTokens', prompt.cache_write_tokens, value.cache_creation_input_tokens)
  note('reasoningTokens', completion.reasoning_tokens, value.reasoning_tokens)
  return Object.keys(usage).length === 0 ? null : usage
}
