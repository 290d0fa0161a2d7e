import { inspect } from 'node:util'
import type { Distribution, Measured, Over, RequestRecord } from '../../metrics/index.ts'
import { type Figure, judge, type MatcherResult, type ReplayMatcher } from './judge.ts'
import { slowestCalls } from './latency-by-call.ts'
import { doubtAbout } from './latency-doubt.ts'
import {
  type LatencyLimit,
  type LatencyLimits,
  type LatencyOptions,
  parseLatencyLimits,
  parseLatencyOptions,
} from './latency-limits.ts'
import { type Receiver, recordOf } from './receiver.ts'
import { tooFew } from './too-few-samples.ts'

export interface LatencyMetric {
  readonly matcher: string
  /** `'workflow latency'` */
  readonly name: string
  /** The time of a single output token, not of a whole request or session. @default false */
  readonly perToken?: boolean
  /** What one sample is of. */
  readonly sampled: 'sessions' | 'requests' | 'gaps'
  read(measured: Measured): Distribution
  /** The metric of one request, where it has it. */
  readonly ofRequest?: (request: RequestRecord) => number | undefined
}

export type LatencyArguments = [limits: LatencyLimits, options?: LatencyOptions]

/** A matcher that holds figures of one latency to ceilings. */
export function latencyMatcher(metric: LatencyMetric): ReplayMatcher<LatencyArguments> {
  const { matcher } = metric
  return function latency(received, ...args): MatcherResult {
    return judge(this, received, {
      matcher,
      argument: args.map((argument) => inspect(argument, { breakLength: Number.POSITIVE_INFINITY })).join(', '),
      self: latency,
      figures(measured) {
        const [limits, options] = args
        const { over } = parseLatencyOptions(options, matcher)
        return parseLatencyLimits(limits, matcher).map((limit) => figure(metric, measured, limit, over))
      },
      explainFirst({ requestList: requests }, verdicts) {
        const [limits, options] = args
        const broken = parseLatencyLimits(limits, matcher)[verdicts.findIndex(({ pass }) => !pass)]
        if (metric.ofRequest === undefined || broken === undefined) return []
        return slowestCalls(metric, requests, broken, parseLatencyOptions(options, matcher).over)
      },
    })
  }
}

function quantileOf({ name, quantile }: LatencyLimit): Pick<Figure, 'quantile'> {
  const q = name === 'max' ? 1 : quantile
  return q === undefined ? {} : { quantile: q }
}

function figure(metric: LatencyMetric, measured: Receiver, limit: LatencyLimit, over: Over): Figure {
  const { name, sampled } = metric
  const distribution = metric.read(measured)
  const { count, failures } = distribution
  const observed = limit.read(distribution, over)
  const { client } = recordOf(measured)
  const doubt =
    observed === undefined ? undefined : doubtAbout({ metric, measured, client, distribution, limit, over, observedMs: observed })
  const samples = over === 'all' ? count : count - failures
  const successful = over === 'all' && failures > 0 ? limit.read(distribution, 'successful') : undefined
  const note = tooFew(limit, samples, sampled)
  const nothing =
    distribution.absent ?? (sampled === 'sessions' ? 'no session succeeded' : `no successful response carried ${name}`)
  return {
    label: `${name} ${limit.name}${over === 'successful' ? ' of the successful' : ''}`,
    observed,
    limit: limit.limitMs,
    unit: 'ms',
    direction: 'ceiling',
    samples,
    sampled,
    over,
    ...quantileOf(limit),
    ...(successful === undefined ? {} : { successful }),
    ...(note === undefined ? {} : { note }),
    ...(samples === 0 ? { unmeasured: nothing } : {}),
    ...(doubt === undefined ? {} : { doubt }),
    ...(count === failures ? { onlyFailures: nothing } : {}),
  }
}
