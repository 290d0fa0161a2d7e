import type { InferenceModel } from './inference-model.ts'
import type { PrefixCache } from './prefix-cache.ts'

/** The state of the simulated server under the names that vLLM publishes it by. Nothing is ever preempted here. */
export function metricsText(model: InferenceModel, cache: PrefixCache, modelName: string): string {
  const { hits, queries } = model.prefixTokens
  const labels = `{engine="0",model_name="${modelName.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"}`
  const metric = (type: 'gauge' | 'counter', name: string, help: string, value: number) =>
    `# HELP vllm:${name} ${help}\n# TYPE vllm:${name} ${type}\nvllm:${name}${labels} ${value}\n`
  return [
    metric('gauge', 'num_requests_running', 'Requests that the model works on.', model.running),
    metric('gauge', 'num_requests_waiting', 'Requests that wait for it.', model.queued),
    metric('gauge', 'kv_cache_usage_perc', 'Share of the cache in use; 1 is all of it.', cache.usage),
    metric('counter', 'num_preemptions_total', 'Requests that had to give up their place.', 0),
    metric('counter', 'prefix_cache_queries_total', 'Prompt tokens looked for in the cache.', queries),
    metric('counter', 'prefix_cache_hits_total', 'Prompt tokens found in it.', hits),
  ].join('')
}
