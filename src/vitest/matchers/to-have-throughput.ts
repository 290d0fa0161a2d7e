import { inspect } from 'node:util'
import { nearest, TraceReplayError } from '../../base/index.ts'
import { clientLag, RELIEVE_THE_CLIENT, type Throughput } from '../../metrics/index.ts'
import { formatPerSecond, formatShare } from '../../report/index.ts'
import { type Figure, judge, type MatcherResult, type ReplayMatcher } from './judge.ts'
import type { Receiver } from './receiver.ts'

export interface ThroughputMatcher<Result> {
  /**
   * Holds successful work per second, from the first request sent to the last one ended, to floors. All given ones must hold.
   *
   * @example
   * expect(run).toHaveThroughput({ outputTokensPerSecond: 900 })
   */
  toHaveThroughput(floors: ThroughputFloors): Result
}

export type ThroughputFloors = { readonly [Rate in ThroughputRate]?: number }

type ThroughputRate = Exclude<keyof Throughput, 'tokensEstimated'>

const LABELS: Readonly<Record<ThroughputRate, string>> = {
  outputTokensPerSecond: 'output tokens',
  inputTokensPerSecond: 'input tokens',
  totalTokensPerSecond: 'input and output tokens',
  requestsPerSecond: 'requests',
  sessionsPerSecond: 'sessions',
}

const matcher = 'toHaveThroughput'

export const toHaveThroughput: ReplayMatcher<[floors: ThroughputFloors]> = function throughput(received, floors): MatcherResult {
  return judge(this, received, {
    matcher,
    argument: inspect(floors, { breakLength: Number.POSITIVE_INFINITY }),
    self: throughput,
    figures: (measured) => parseFloors(floors).map(([rate, floor]) => figure(measured, rate, floor)),
  })
}

function figure(measured: Receiver, rate: ThroughputRate, floor: number): Figure {
  const { throughput, sessionCounts, requestCounts } = measured
  const observed = throughput[rate]
  const doubt = observed === undefined ? undefined : slowedByClient(measured, LABELS[rate], observed, floor)
  const ofTokens = rate.includes('Tokens')
  const ofSessions = rate === 'sessionsPerSecond'
  return {
    label: `throughput of ${LABELS[rate]}`,
    observed,
    limit: floor,
    unit: '/s',
    direction: 'floor',
    samples: ofSessions ? sessionCounts.total : requestCounts.total,
    sampled: ofSessions ? 'sessions' : 'requests',
    ...(ofTokens && throughput.tokensEstimated ? { note: 'tokens are estimates: the server sent no usage' } : {}),
    ...(observed === undefined
      ? { unmeasured: ofTokens ? 'no response carried a count of its tokens' : 'no request was sent' }
      : {}),
    ...(doubt === undefined ? {} : { doubt }),
  }
}

/** A share of the client below this is noise: no verdict hangs on it. */
const NOISE_SHARE = 0.01

/** The floor is missed, but in the time that the client took for itself the server could have made up for it. */
function slowedByClient(measured: Receiver, what: string, observed: number, floor: number): string | undefined {
  const { shareOfSessions } = clientLag(measured.requestList)
  if (observed >= floor || shareOfSessions <= NOISE_SHARE || observed / (1 - shareOfSessions) < floor) return undefined
  return `the throughput of ${what} is ${formatPerSecond(observed)}/s, but ${formatShare(shareOfSessions)} of the time were the load client's own delay. ${RELIEVE_THE_CLIENT}`
}

function parseFloors(floors: unknown): [ThroughputRate, number][] {
  if (typeof floors !== 'object' || floors === null || Array.isArray(floors)) {
    throw misuse(`${matcher} takes an object of floors, not ${inspect(floors)}: \`{ outputTokensPerSecond: 900 }\`.`)
  }
  const entries = Object.entries(floors).filter(([, floor]) => floor !== undefined)
  if (entries.length === 0) {
    throw misuse(`${matcher} has no floor to hold the run to. Give at least one of ${Object.keys(LABELS).join(', ')}.`)
  }
  return entries.map(([rate, floor]) => {
    if (!isRate(rate)) {
      const close = nearest(rate, Object.keys(LABELS))
      throw misuse(
        `${matcher}: unknown floor \`${rate}\`.${close === undefined ? ` Known: ${Object.keys(LABELS).join(', ')}.` : ` Did you mean \`${close}\`?`}`,
      )
    }
    if (typeof floor !== 'number' || !Number.isFinite(floor) || floor <= 0) {
      throw misuse(`${matcher}: \`${rate}\` is ${inspect(floor)}, expected a number per second above 0.`)
    }
    return [rate, floor]
  })
}

function isRate(name: string): name is ThroughputRate {
  return Object.hasOwn(LABELS, name)
}

function misuse(message: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', message)
}
