import type { ServerReading } from './server-reading.ts'

/** Names under which servers publish a figure, and how several series of it (engines, models) make one. */
interface KnownMetric {
  readonly names: readonly string[]
  readonly combine: 'sum' | 'max'
}

/** Of vLLM, SGLang and TGI, new names before old ones: the first that is published counts. */
export const KNOWN_METRICS: Readonly<Record<keyof ServerReading, KnownMetric>> = {
  running: { names: ['vllm:num_requests_running', 'sglang:num_running_reqs', 'tgi_batch_current_size'], combine: 'sum' },
  waiting: { names: ['vllm:num_requests_waiting', 'sglang:num_queue_reqs', 'tgi_queue_size'], combine: 'sum' },
  kvCacheUsage: {
    names: ['vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc', 'sglang:token_usage'],
    combine: 'max',
  },
  preemptions: { names: ['vllm:num_preemptions_total', 'sglang:num_retracted_requests_total'], combine: 'sum' },
  prefixHitTokens: {
    names: ['vllm:prefix_cache_hits_total', 'vllm:gpu_prefix_cache_hits_total', 'sglang:cached_tokens_total'],
    combine: 'sum',
  },
  prefixQueryTokens: {
    names: ['vllm:prefix_cache_queries_total', 'vllm:gpu_prefix_cache_queries_total', 'sglang:prompt_tokens_total'],
    combine: 'sum',
  },
}
