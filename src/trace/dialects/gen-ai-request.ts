import type { CallParams, TokenUsage } from '../../message/index.ts'
import { numberAt } from '../attributes.ts'
import type { Attributes } from '../span.ts'
import { defined } from './defined.ts'

/** Request parameters and tokens in the spellings of the `gen_ai.*` attributes; several dialects write them beside their own. */

export function readGenAiParams(attributes: Attributes): CallParams {
  return defined({
    maxTokens: numberAt(attributes, 'gen_ai.request.max_tokens', 'gen_ai.request.max_output_tokens'),
    temperature: numberAt(attributes, 'gen_ai.request.temperature'),
    topP: numberAt(attributes, 'gen_ai.request.top_p'),
    topK: numberAt(attributes, 'gen_ai.request.top_k'),
    seed: numberAt(attributes, 'gen_ai.request.seed', 'gen_ai.openai.request.seed'),
    stop: stopSequences(attributes),
    frequencyPenalty: numberAt(attributes, 'gen_ai.request.frequency_penalty'),
    presencePenalty: numberAt(attributes, 'gen_ai.request.presence_penalty'),
    stream: flagAt(attributes, 'gen_ai.request.stream', 'gen_ai.request.is_stream', 'llm.is_streaming'),
  })
}

function stopSequences(attributes: Attributes): readonly string[] | undefined {
  const value = attributes.get('gen_ai.request.stop_sequences')
  const list = Array.isArray(value) ? value : [value]
  const texts = list.filter((item) => typeof item === 'string')
  return texts.length > 0 ? texts : undefined
}

function flagAt(attributes: Attributes, ...keys: readonly string[]): boolean | undefined {
  for (const key of keys) {
    const value = attributes.get(key)
    if (value === true || value === 'true') return true
    if (value === false || value === 'false') return false
  }
  return undefined
}

const CACHE_READ = [
  'gen_ai.usage.cache_read.input_tokens',
  'gen_ai.usage.cache_read_input_tokens',
  'gen_ai.usage.cached_input_tokens',
  'gen_ai.usage.input_cached_tokens',
  'gen_ai.usage.cached_tokens',
  'gen_ai.usage.input_tokens.cached',
  'gen_ai.usage.prompt_tokens_details.cached_tokens',
  'gen_ai.usage.input_tokens_details.cached_tokens',
]
const CACHE_WRITE = [
  'gen_ai.usage.cache_creation.input_tokens',
  'gen_ai.usage.cache_creation_input_tokens',
  'gen_ai.usage.cache_write.input_tokens',
  'gen_ai.usage.cache_write_input_tokens',
]
const REASONING = [
  'gen_ai.usage.reasoning.output_tokens',
  'gen_ai.usage.reasoning_output_tokens',
  'gen_ai.usage.reasoning_tokens',
  'gen_ai.usage.output_tokens.reasoning',
  'gen_ai.usage.completion_tokens_details.reasoning_tokens',
  'gen_ai.usage.output_tokens_details.reasoning_tokens',
]

export function readGenAiUsage(attributes: Attributes): TokenUsage {
  const tokens = (...keys: readonly string[]) => {
    const count = numberAt(attributes, ...keys)
    return count !== undefined && count >= 0 ? count : undefined
  }
  const cached = tokens(...CACHE_READ)
  const written = tokens(...CACHE_WRITE)
  const input = tokens('gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens')
  // The conventions count cached tokens as input. A recorder that passes on a provider's own count may leave them out.
  const apart = input !== undefined && cached !== undefined && cached > input
  return defined({
    inputTokens: apart ? input + cached + (written ?? 0) : input,
    outputTokens: tokens('gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'),
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    reasoningTokens: tokens(...REASONING),
  })
}
