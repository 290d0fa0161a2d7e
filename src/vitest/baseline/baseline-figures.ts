import type { Distribution, Measured, SloUnit } from '../../metrics/index.ts'

/** A figure that a baseline holds. */
export interface BaselineFigure {
  /** As in the file: `'workflow_latency_p95_ms'`. */
  readonly name: string
  /** As in a message: `'workflow latency p95'`. */
  readonly label: string
  readonly unit: SloUnit
  readonly sampled: 'sessions' | 'requests' | 'gaps'
  /** Of a latency. */
  readonly quantile?: number
  /** Which way is worse. */
  readonly direction: 'ceiling' | 'floor'
  /** What a new baseline allows: latencies may rise so far, rates and throughputs fall. */
  readonly tolerance: string
  /** `undefined` where nothing carried it; `Infinity` where failures set it. */
  read(measured: Measured): number | undefined
}

export const BASELINE_FIGURES: readonly BaselineFigure[] = [
  rate('session_success_rate', 'session success rate', 'sessions', '-1%', (measured) => measured.sessionSuccessRate),
  ...latency('workflow_latency', 'workflow latency', 'sessions', (measured) => measured.workflowLatency, {
    p50: '+15%',
    p95: '+25%',
  }),
  ...latency('ttft', 'TTFT', 'requests', (measured) => measured.timeToFirstToken, { p50: '+20%', p95: '+30%' }),
  ...latency('tpot', 'TPOT', 'requests', (measured) => measured.timePerOutputToken, { p50: '+15%', p95: '+25%' }),
  ...latency('itl', 'ITL', 'gaps', (measured) => measured.interTokenLatency, { p99: '+40%' }),
  {
    name: 'output_tokens_per_second',
    label: 'throughput of output tokens',
    unit: '/s',
    sampled: 'requests',
    direction: 'floor',
    tolerance: '-15%',
    read: (measured) => measured.throughput.outputTokensPerSecond,
  },
  rate('kv_cache_hit_rate', 'KV-cache hit rate', 'requests', '-10%', (measured) => measured.cachedShare),
]

function rate(
  name: string,
  label: string,
  sampled: 'sessions' | 'requests',
  tolerance: string,
  read: BaselineFigure['read'],
): BaselineFigure {
  return { name, label, unit: 'rate', sampled, direction: 'floor', tolerance, read }
}

function latency(
  name: string,
  label: string,
  sampled: BaselineFigure['sampled'],
  distribution: (measured: Measured) => Distribution,
  tolerances: Readonly<Record<string, string>>,
): BaselineFigure[] {
  return Object.entries(tolerances).map(([percentile, tolerance]) => {
    const quantile = Number(percentile.slice(1)) / 100
    return {
      name: `${name}_${percentile}_ms`,
      label: `${label} ${percentile}`,
      unit: 'ms',
      sampled,
      quantile,
      direction: 'ceiling',
      tolerance,
      read: (measured) => distribution(measured).quantile(quantile),
    }
  })
}
