import type { ServerSample, StageRecord } from './records.ts'

/** What a server said of itself while it was measured; `undefined` where it does not say. */
export interface ServerLoad {
  /** Looks at it. */
  readonly samples: number
  readonly running: Gauge | undefined
  readonly waiting: Gauge | undefined
  /** Shares, 0 to 1. */
  readonly kvCacheUsage: Gauge | undefined
  /** How many happened meanwhile. */
  readonly preemptions: number | undefined
  /** Prompt tokens found in the prefix cache ÷ those looked for, meanwhile: of all requests the server had. */
  readonly prefixHitRate: number | undefined
}

export interface Gauge {
  readonly mean: number
  readonly max: number
}

/** @param stages during which the samples count */
export function serverLoad(samples: readonly ServerSample[], stages: readonly StageRecord[]): ServerLoad | undefined {
  const windows = stages.map(({ startMs, endMs }) => samples.filter(({ atMs }) => atMs >= startMs && atMs <= endMs))
  const counted = windows.flat()
  if (counted.length === 0) return undefined
  const growth = (counter: Counter) => addUp(windows.map((window) => growthOf(window, counter)))
  const hits = growth('prefixHitTokens')
  const queries = growth('prefixQueryTokens')
  return {
    samples: counted.length,
    running: gauge(counted, 'running'),
    waiting: gauge(counted, 'waiting'),
    kvCacheUsage: gauge(counted, 'kvCacheUsage'),
    preemptions: growth('preemptions'),
    prefixHitRate: hits === undefined || queries === undefined || queries === 0 ? undefined : hits / queries,
  }
}

type Counter = 'preemptions' | 'prefixHitTokens' | 'prefixQueryTokens'

function gauge(samples: readonly ServerSample[], name: 'running' | 'waiting' | 'kvCacheUsage'): Gauge | undefined {
  const values = samples.flatMap((sample) => sample[name] ?? [])
  if (values.length === 0) return undefined
  return { mean: values.reduce((sum, value) => sum + value, 0) / values.length, max: Math.max(...values) }
}

/** From the first sample to the last; a server that was started anew counts from 0 again. */
function growthOf(samples: readonly ServerSample[], name: Counter): number | undefined {
  let growth: number | undefined
  let before: number | undefined
  for (const sample of samples) {
    const now = sample[name]
    if (now === null) continue
    if (before !== undefined) growth = (growth ?? 0) + (now < before ? now : now - before)
    before = now
  }
  return growth
}

function addUp(parts: readonly (number | undefined)[]): number | undefined {
  const known = parts.filter((part) => part !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, part) => sum + part, 0)
}
