import { expect, test } from 'vitest'
import { readProviderUsage } from './provider-usage.ts'

test.each([
  [
    'OpenAI chat',
    {
      prompt_tokens: 90,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 32 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
    { inputTokens: 90, outputTokens: 7, cachedInputTokens: 32, reasoningTokens: 2 },
  ],
  [
    'OpenAI Responses',
    {
      input_tokens: 90,
      output_tokens: 7,
      input_tokens_details: { cached_tokens: 32 },
      output_tokens_details: { reasoning_tokens: 2 },
    },
    { inputTokens: 90, outputTokens: 7, cachedInputTokens: 32, reasoningTokens: 2 },
  ],
  [
    'Anthropic, which counts the cache apart',
    { input_tokens: 50, output_tokens: 7, cache_read_input_tokens: 32, cache_creation_input_tokens: 8 },
    { inputTokens: 90, outputTokens: 7, cachedInputTokens: 32, cacheWriteTokens: 8 },
  ],
  [
    'Bedrock, which does so, too',
    { inputTokens: 50, outputTokens: 7, cacheReadInputTokens: 32, cacheWriteInputTokens: 8 },
    { inputTokens: 90, outputTokens: 7, cachedInputTokens: 32, cacheWriteTokens: 8 },
  ],
  [
    'Gemini, which counts thoughts apart',
    { promptTokenCount: 90, candidatesTokenCount: 5, thoughtsTokenCount: 2, cachedContentTokenCount: 32 },
    { inputTokens: 90, outputTokens: 7, cachedInputTokens: 32, reasoningTokens: 2 },
  ],
  [
    "Gemini's Python client",
    { prompt_token_count: 90, candidates_token_count: 5, thoughts_token_count: 2 },
    { inputTokens: 90, outputTokens: 7, reasoningTokens: 2 },
  ],
  [
    'LangChain',
    {
      input_tokens: 90,
      output_tokens: 7,
      input_token_details: { cache_read: 32, cache_creation: 8 },
      output_token_details: { reasoning: 2 },
    },
    { inputTokens: 90, outputTokens: 7, cachedInputTokens: 32, cacheWriteTokens: 8, reasoningTokens: 2 },
  ],
  ['nothing', null, {}],
  ['what is no count', { prompt_tokens: '90', completion_tokens: -1, output_tokens: Number.NaN }, {}],
])('%s', (_, usage, expected) => {
  expect(readProviderUsage(usage)).toEqual(expected)
})
