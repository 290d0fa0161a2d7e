import { expect, test } from 'vitest'
import { InferenceModel } from './inference-model.ts'
import { metricsText } from './metrics-text.ts'
import { PrefixCache } from './prefix-cache.ts'

const timing = { maxBatch: 1, prefillTokensPerSecond: 1_000, decodeStepMs: 1, decodeSlowdownPerRequest: 0, cacheBlockTokens: 16 }
const job = (blocks: readonly number[]) => ({
  promptTokens: 40,
  promptBlocks: blocks,
  outputTokens: 5,
  onPrefill() {},
  onToken() {},
  blocksWithOutput: () => blocks,
})

test('says what runs, what waits and what was in the cache, under vLLM’s names', () => {
  const cache = new PrefixCache(10)
  const model = new InferenceModel(timing, cache)
  model.submit(job([1, 2]))
  model.advance(1_000)
  model.submit(job([1, 2]))
  model.submit(job([1, 3]))
  expect(metricsText(model, cache, 'a "model"').replaceAll(/^#.*\n/gm, '')).toMatchInlineSnapshot(`
    "vllm:num_requests_running{engine="0",model_name="a \\"model\\""} 1
    vllm:num_requests_waiting{engine="0",model_name="a \\"model\\""} 1
    vllm:kv_cache_usage_perc{engine="0",model_name="a \\"model\\""} 0.2
    vllm:num_preemptions_total{engine="0",model_name="a \\"model\\""} 0
    vllm:prefix_cache_queries_total{engine="0",model_name="a \\"model\\""} 80
    vllm:prefix_cache_hits_total{engine="0",model_name="a \\"model\\""} 32
    "
  `)
})
