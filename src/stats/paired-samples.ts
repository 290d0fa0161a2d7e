import {
  type RequestRecord,
  requestLatencyMs,
  type SessionRecord,
  timePerOutputTokenMs,
  timeToFirstTokenMs,
  workflowLatencyMs,
} from '../metrics/index.ts'
import type { SessionPair } from './pair-sessions.ts'

/** Latencies that can be compared pair by pair: of sessions, or of their calls. */
export type ComparedLatency = 'workflowLatency' | 'requestLatency' | 'timeToFirstToken' | 'timePerOutputToken'

/** One measurement and its twin. `Infinity` where it failed; at most one of the two is. */
export interface PairedSample {
  /** Index of the session it belongs to among those compared: what is drawn together. */
  readonly cluster: number
  readonly baseMs: number
  readonly headMs: number
}

const REQUEST_METRICS: Readonly<
  Record<Exclude<ComparedLatency, 'workflowLatency'>, (request: RequestRecord) => number | undefined>
> = {
  requestLatency: requestLatencyMs,
  timeToFirstToken: timeToFirstTokenMs,
  timePerOutputToken: timePerOutputTokenMs,
}

/**
 * What one latency came to on both sides. What failed, was cut off or never ran ranks as infinitely slow, so that no side
 * looks faster by failing. A pair that failed on both sides tells them apart in nothing, and is left out; so is one that
 * succeeded without carrying the metric.
 */
export function pairedSamples(pairs: readonly SessionPair[], metric: ComparedLatency): PairedSample[] {
  if (metric === 'workflowLatency') {
    return pairs.flatMap(({ base, head }, cluster) => sample(cluster, base, head, workflowLatencyMs))
  }
  const read = REQUEST_METRICS[metric]
  return pairs.flatMap(({ calls }, cluster) => calls.flatMap(({ base, head }) => sample(cluster, base, head, read)))
}

function sample<Item extends SessionRecord | RequestRecord>(
  cluster: number,
  base: Item | null,
  head: Item | null,
  read: (item: Item) => number | undefined,
): PairedSample[] {
  const baseMs = latencyOf(base, read)
  const headMs = latencyOf(head, read)
  if (baseMs === undefined || headMs === undefined) return []
  if (baseMs === Number.POSITIVE_INFINITY && headMs === Number.POSITIVE_INFINITY) return []
  return [{ cluster, baseMs, headMs }]
}

function latencyOf<Item extends SessionRecord | RequestRecord>(
  item: Item | null,
  read: (item: Item) => number | undefined,
): number | undefined {
  return item?.state === 'succeeded' ? read(item) : Number.POSITIVE_INFINITY
}
