/// <reference path="./parse-prometheus-text-format.d.ts" />
import parsePrometheusTextFormat from 'parse-prometheus-text-format'
import { KNOWN_METRICS } from './metric-names.ts'

/** What an inference server says of itself at one moment; `null` where it does not. */
export interface ServerReading {
  /** Requests that the model works on. */
  readonly running: number | null
  /** Requests in its queue. */
  readonly waiting: number | null
  /** Share of the KV cache in use, 0 to 1; of several engines the fullest. */
  readonly kvCacheUsage: number | null
  /** Since the server started, as are the next two: requests that had to give up their place in the KV cache. */
  readonly preemptions: number | null
  /** Prompt tokens found in the prefix cache … */
  readonly prefixHitTokens: number | null
  /** … of those looked for. */
  readonly prefixQueryTokens: number | null
}

const NAMES = new Set(Object.values(KNOWN_METRICS).flatMap(({ names }) => names))

/**
 * The figures of a Prometheus exposition. Lines of other metrics, thousands of them, are left out before parsing: this runs
 * beside the load.
 *
 * @returns `undefined` when none of the known metrics is in it
 */
export function readServerMetrics(text: string): ServerReading | undefined {
  const lines = text.split('\n').filter((line) => NAMES.has(nameOf(line)))
  if (lines.length === 0) return undefined
  const families = new Map(parsePrometheusTextFormat(`${lines.join('\n')}\n`).map((family) => [family.name, family]))
  const read = (metric: keyof ServerReading): number | null => {
    const { names, combine } = KNOWN_METRICS[metric]
    for (const name of names) {
      const values = (families.get(name)?.metrics ?? [])
        .map(({ value }) => (value ? Number(value) : Number.NaN))
        .filter(Number.isFinite)
      if (values.length > 0) return combine === 'max' ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0)
    }
    return null
  }
  const reading: ServerReading = {
    running: read('running'),
    waiting: read('waiting'),
    kvCacheUsage: read('kvCacheUsage'),
    preemptions: read('preemptions'),
    prefixHitTokens: read('prefixHitTokens'),
    prefixQueryTokens: read('prefixQueryTokens'),
  }
  return Object.values(reading).every((value) => value === null) ? undefined : reading
}

/** `'vllm:num_requests_running{engine="0"} 3.0'` → `'vllm:num_requests_running'` */
function nameOf(line: string): string {
  return line.slice(0, Math.max(0, line.search(/[{ ]/)))
}
