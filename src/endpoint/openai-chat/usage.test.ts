import { expect, test } from 'vitest'
import type { TokenUsage } from '../../message/index.ts'
import { readUsage } from './usage.ts'

test.each<[name: string, usage: unknown, read: TokenUsage | null]>([
  [
    'OpenAI',
    {
      prompt_tokens: 9,
      completion_tokens: 4,
      prompt_tokens_details: { cached_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
    { inputTokens: 9, outputTokens: 4, cachedInputTokens: 5, reasoningTokens: 2 },
  ],
  [
    'vLLM without details',
    { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: null },
    { inputTokens: 9, outputTokens: 4 },
  ],
  [
    'no token cached is known',
    { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 0 } },
    { inputTokens: 9, cachedInputTokens: 0 },
  ],
  [
    'SGLang',
    { prompt_tokens: 9, completion_tokens: 4, reasoning_tokens: 1 },
    { inputTokens: 9, outputTokens: 4, reasoningTokens: 1 },
  ],
  ['DeepSeek', { prompt_tokens: 9, prompt_cache_hit_tokens: 6 }, { inputTokens: 9, cachedInputTokens: 6 }],
  ['Moonshot', { prompt_tokens: 9, cached_tokens: 6 }, { inputTokens: 9, cachedInputTokens: 6 }],
  [
    'a gateway',
    { input_tokens: 9, output_tokens: 4, cache_read_input_tokens: 6, cache_creation_input_tokens: 3 },
    { inputTokens: 9, outputTokens: 4, cachedInputTokens: 6, cacheWriteTokens: 3 },
  ],
  ['numbers that count nothing', { prompt_tokens: -1, completion_tokens: '4' }, null],
  ['an empty object', {}, null],
  ['null', null, null],
  ['a list', [1], null],
])('%s', (_name, usage, read) => {
  expect(readUsage(usage)).toEqual(read)
})
