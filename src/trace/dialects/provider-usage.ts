import { isJsonObject, type JsonObject, type TokenUsage } from '../../message/index.ts'
import { defined } from './defined.ts'

/** Tokens as the providers' APIs report them, whichever it was. `inputTokens` comes to include cached ones in all of them. */
export function readProviderUsage(value: unknown): TokenUsage {
  if (!isJsonObject(value)) return {}
  const details = firstObject(value, 'prompt_tokens_details', 'input_tokens_details', 'input_token_details', 'inputTokenDetails')
  const outputDetails = firstObject(
    value,
    'completion_tokens_details',
    'output_tokens_details',
    'output_token_details',
    'outputTokenDetails',
  )
  const input = count(
    value,
    'prompt_tokens',
    'input_tokens',
    'inputTokens',
    'promptTokens',
    'promptTokenCount',
    'prompt_token_count',
  )
  const output = count(
    value,
    'completion_tokens',
    'output_tokens',
    'outputTokens',
    'completionTokens',
    'candidatesTokenCount',
    'candidates_token_count',
  )
  // Anthropic and Bedrock count what came from the cache, or went into it, apart from the input.
  const readApart = count(value, 'cache_read_input_tokens', 'cacheReadInputTokens')
  const writtenApart = count(value, 'cache_creation_input_tokens', 'cacheWriteInputTokens')
  const cached =
    readApart ??
    count(details, 'cached_tokens', 'cache_read', 'cacheReadTokens') ??
    count(value, 'cachedContentTokenCount', 'cached_content_token_count', 'cachedInputTokens')
  // Gemini counts thoughts apart from the answer, the others as part of it.
  const thoughts = count(value, 'thoughtsTokenCount', 'thoughts_token_count')
  const reasoning =
    thoughts ?? count(outputDetails, 'reasoning_tokens', 'reasoning', 'reasoningTokens') ?? count(value, 'reasoningTokens')
  return defined({
    inputTokens: input === undefined ? undefined : input + (readApart ?? 0) + (writtenApart ?? 0),
    outputTokens: output === undefined ? thoughts : output + (thoughts ?? 0),
    cachedInputTokens: cached,
    cacheWriteTokens: writtenApart ?? count(details, 'cache_creation', 'cacheWriteTokens'),
    reasoningTokens: reasoning,
  })
}

function count(value: JsonObject, ...keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const number = value[key]
    if (typeof number === 'number' && number >= 0 && Number.isFinite(number)) return number
  }
  return undefined
}

function firstObject(value: JsonObject, ...keys: readonly string[]): JsonObject {
  return keys.map((key) => value[key]).find(isJsonObject) ?? {}
}
