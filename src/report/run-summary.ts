import type { Distribution, Gradable, Measured, Over, RequestCounts, Run, SessionCounts, Throughput } from '../metrics/index.ts'

/** The figures of a run that reports show, as small plain JSON: it travels where a whole record would be too much. */
export interface RunSummary extends MeasuredSummary {
  readonly name: string
  readonly target: { readonly kind: string; readonly model: string }
  readonly stages: readonly StageSummary[]
}

export interface StageSummary extends MeasuredSummary {
  readonly index: number
  readonly warmup: boolean
  readonly concurrentSessions: number
}

export interface MeasuredSummary {
  readonly sessionCounts: SessionCounts
  readonly requestCounts: RequestCounts
  readonly workflowLatency: DistributionSummary
  readonly requestLatency: DistributionSummary
  readonly timeToFirstToken: DistributionSummary
  readonly timePerOutputToken: DistributionSummary
  readonly interTokenLatency: DistributionSummary
  readonly throughput: Throughput
  readonly gradable: Gradable
}

export interface DistributionSummary {
  readonly count: number
  readonly failures: number
  /** Failures included. `null` when there is no sample. */
  readonly all: QuantileSummary | null
  /** `null` when no sample succeeded. */
  readonly successful: QuantileSummary | null
}

/** Milliseconds; `null` is infinitely slow, as JSON has no `Infinity`. */
export interface QuantileSummary {
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly max: number | null
}

export function summarizeRun(run: Run): RunSummary {
  const { kind, model } = run.record.target
  return {
    name: run.name,
    target: { kind, model },
    ...summarize(run),
    stages: run.stages.map((stage) => ({
      index: stage.index,
      warmup: stage.warmup,
      concurrentSessions: stage.concurrentSessions,
      ...summarize(stage),
    })),
  }
}

function summarize(measured: Measured): MeasuredSummary {
  return {
    sessionCounts: measured.sessionCounts,
    requestCounts: measured.requestCounts,
    workflowLatency: summarizeDistribution(measured.workflowLatency),
    requestLatency: summarizeDistribution(measured.requestLatency),
    timeToFirstToken: summarizeDistribution(measured.timeToFirstToken),
    timePerOutputToken: summarizeDistribution(measured.timePerOutputToken),
    interTokenLatency: summarizeDistribution(measured.interTokenLatency),
    throughput: measured.throughput,
    gradable: measured.gradable,
  }
}

function summarizeDistribution(distribution: Distribution): DistributionSummary {
  const { count, failures } = distribution
  return { count, failures, all: quantiles(distribution, 'all'), successful: quantiles(distribution, 'successful') }
}

function quantiles(distribution: Distribution, over: Over): QuantileSummary | null {
  const at = (q: number) => {
    const value = distribution.quantile(q, over) ?? null
    return value === Number.POSITIVE_INFINITY ? null : value
  }
  if (distribution.quantile(0, over) === undefined) return null
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
