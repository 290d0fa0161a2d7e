import type { ServerLoad } from '../metrics/index.ts'
import { formatCount, formatShare } from './figures.ts'
import { wrap } from './terminal-text.ts'

/** From here on the queue, and how full the cache is, explain something. */
const LONG_QUEUE = 1
const FULL_CACHE = 0.95

/** What a server said of itself, where that explains why it was slow; else nothing. */
export function renderServerLoad(
  { running, waiting, kvCacheUsage, preemptions, prefixHitRate }: ServerLoad,
  width: number,
): string[] {
  const queued = waiting !== undefined && waiting.mean >= LONG_QUEUE
  const isFull = kvCacheUsage !== undefined && kvCacheUsage.max >= FULL_CACHE
  const preempted = preemptions !== undefined && preemptions > 0
  if (!queued && !isFull && !preempted) return []
  const facts = [
    ...(waiting === undefined
      ? []
      : [`${mean(waiting.mean)} requests in its queue on average, up to ${formatCount(waiting.max)}`]),
    ...(running === undefined ? [] : [`${mean(running.mean)} running, up to ${formatCount(running.max)}`]),
    ...(kvCacheUsage === undefined ? [] : [`KV cache up to ${formatShare(kvCacheUsage.max)} full`]),
    ...(preempted ? [`${formatCount(preemptions)} ${preemptions === 1 ? 'preemption' : 'preemptions'}`] : []),
    ...(prefixHitRate === undefined ? [] : [`${formatShare(prefixHitRate)} of prompt tokens found in its prefix cache`]),
  ]
  return wrap(`${facts.join('; ')}.`, width)
}

function mean(value: number): string {
  return value >= 10 ? formatCount(value) : Number(value.toFixed(1)).toString()
}
