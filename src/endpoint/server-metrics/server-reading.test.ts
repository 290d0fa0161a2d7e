import { expect, test } from 'vitest'
import { readServerMetrics } from './server-reading.ts'

const VLLM = `# HELP vllm:num_requests_running Number of requests in model execution batches.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="a \\"b\\" {c}"} 3.0
vllm:num_requests_running{engine="1",model_name="m"} 4.0
# TYPE vllm:num_requests_waiting gauge
vllm:num_requests_waiting{engine="0",model_name="m"} 2.0
vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.25
vllm:kv_cache_usage_perc{engine="1",model_name="m"} 0.75
vllm:num_preemptions_total{model_name="m"} 1.2e+01
vllm:num_preemptions_created{model_name="m"} 1.7e+09
vllm:prefix_cache_queries_total{model_name="m"} 1000
vllm:prefix_cache_hits_total{model_name="m"} 250
vllm:time_to_first_token_seconds_bucket{le="0.1",model_name="m"} 3
python_gc_objects_collected_total{generation="0"} 24
`

test('reads what vLLM says; engines add up, and of caches the fullest counts', () => {
  expect(readServerMetrics(VLLM)).toEqual({
    running: 7,
    waiting: 2,
    kvCacheUsage: 0.75,
    preemptions: 12,
    prefixHitTokens: 250,
    prefixQueryTokens: 1_000,
  })
})

test('reads what SGLang and TGI say, and older names of vLLM', () => {
  expect(
    readServerMetrics(
      [
        'sglang:num_running_reqs{model_name="m"} 5',
        'sglang:num_queue_reqs 6',
        'sglang:token_usage 0.5',
        'sglang:num_retracted_requests_total 1',
        'sglang:cached_tokens_total{cache_source="device"} 10',
        'sglang:cached_tokens_total{cache_source="host"} 5',
        'sglang:prompt_tokens_total 60',
      ].join('\n'),
    ),
  ).toEqual({ running: 5, waiting: 6, kvCacheUsage: 0.5, preemptions: 1, prefixHitTokens: 15, prefixQueryTokens: 60 })
  expect(readServerMetrics('tgi_batch_current_size 4\ntgi_queue_size 7\n')).toMatchObject({
    running: 4,
    waiting: 7,
    kvCacheUsage: null,
    preemptions: null,
  })
  expect(readServerMetrics('vllm:gpu_cache_usage_perc 0.4\n')).toMatchObject({ kvCacheUsage: 0.4, running: null })
})

test('a figure that is no number is none', () => {
  expect(readServerMetrics('vllm:num_requests_running NaN\nvllm:num_requests_waiting 1\n')).toMatchObject({
    running: null,
    waiting: 1,
  })
})

test.each([
  '',
  '<html></html>',
  'up 1\n',
  'vllm:num_requests_running',
  '# TYPE tgi_queue_size gauge\n',
  'vllm:num_requests_running{ 3',
])('%j holds nothing known', (text) => {
  expect(readServerMetrics(text)).toBeUndefined()
})
