import { inspect } from 'node:util'
import { type Duration, nearest, parseDuration, TraceReplayError } from '../../base/index.ts'
import { clientLag, type Goodput, type GoodputConstraints, goodput, RELIEVE_THE_CLIENT } from '../../metrics/index.ts'
import { formatCount, formatFigure, formatShare } from '../../report/index.ts'
import { checkRate } from './check-rate.ts'
import { type Figure, judge, type MatcherResult, type ReplayMatcher } from './judge.ts'
import type { Receiver } from './receiver.ts'

export interface GoodputMatcher<Result> {
  /**
   * Holds the goodput, the share of requests or sessions that meet every constraint, to a floor: a rate above 0, up to 1, or
   * `{ share, perSecond }`. Requests are counted, unless the workflow latency is constrained or `per` says otherwise; a
   * session is good when it succeeded and it and each of its requests meet the constraints. Failures meet none.
   *
   * @example
   * expect(run).toHaveGoodput(0.95, { ttft: '200ms', tpot: '20ms' })
   * expect(run).toHaveGoodput({ perSecond: 2 }, { workflowLatency: '45s' })
   */
  toHaveGoodput(floor: number | GoodputFloors, constraints: GoodputLimits, options?: GoodputOptions): Result
}

/** All given ones must hold. */
export interface GoodputFloors {
  /** Good ÷ all, above 0, up to 1. */
  readonly share?: number
  /** Good ones per second. */
  readonly perSecond?: number
}

/** What counts as good; all given ones must be met. Each is a {@link Duration}. */
export interface GoodputLimits {
  /** Time to first token. */
  readonly ttft?: Duration
  /** Time per output token. */
  readonly tpot?: Duration
  /** Request latency ÷ output tokens. */
  readonly ntpot?: Duration
  readonly requestLatency?: Duration
  /** Of whole sessions, which are then what is counted. */
  readonly workflowLatency?: Duration
}

export interface GoodputOptions {
  /** What is counted. @default 'session' with a `workflowLatency`, else 'request' */
  readonly per?: 'request' | 'session'
}

const matcher = 'toHaveGoodput'

const LABELS: Readonly<Record<keyof GoodputConstraints, string>> = {
  ttft: 'TTFT',
  tpot: 'TPOT',
  ntpot: 'NTPOT',
  requestLatency: 'request latency',
  workflowLatency: 'workflow latency',
}

type Arguments = [floor: number | GoodputFloors, constraints: GoodputLimits, options?: GoodputOptions]

export const toHaveGoodput: ReplayMatcher<Arguments> = function goodputMatcher(received, ...args): MatcherResult {
  return judge(this, received, {
    matcher,
    argument: args.map((argument) => inspect(argument, { breakLength: Number.POSITIVE_INFINITY })).join(', '),
    self: goodputMatcher,
    figures(measured) {
      const [floor, limits, options] = args
      const floors = parseFloors(floor)
      const constraints = parseConstraints(limits)
      const per = parsePer(options, constraints)
      const found = goodput(measured.sessions, measured.requestList, constraints, per)
      const doubt = (holds: (goodput: Goodput) => boolean) => doubtAbout(measured, constraints, per, holds)
      const { share, perSecond } = floors
      return [
        ...(share === undefined
          ? []
          : [
              figure(
                found,
                found.share,
                share,
                'rate',
                doubt((at) => (at.share ?? 0) >= share),
              ),
            ]),
        ...(perSecond === undefined
          ? []
          : [
              figure(
                found,
                found.perSecond,
                perSecond,
                '/s',
                doubt((at) => (at.perSecond ?? 0) >= perSecond),
              ),
            ]),
      ]
    },
  })
}

function figure(
  { of, total, good, attainment }: Goodput,
  observed: number | undefined,
  limit: number,
  unit: 'rate' | '/s',
  doubt: string | undefined,
): Figure {
  const parts = attainment.map(
    ({ constraint, limitMs, share }) => `${LABELS[constraint]} ≤ ${formatFigure(limitMs, 'ms')} by ${formatShare(share)}`,
  )
  const absent = attainment.find(({ carried }) => !carried)
  const nothing = of === 'requests' ? 'no request succeeded' : 'no session succeeded'
  const succeeded = attainment.some(({ carried }) => carried)
  return {
    label: `goodput of ${of}`,
    observed,
    limit,
    unit,
    direction: 'floor',
    samples: total,
    sampled: of,
    note: `${formatCount(good)} of ${formatCount(total)} ${of} met all: ${parts.join(', ')}.`,
    ...(observed === undefined ? { unmeasured: 'nothing was sent' } : {}),
    ...(absent !== undefined && succeeded ? { unmeasured: `no successful response carried ${LABELS[absent.constraint]}` } : {}),
    ...(absent !== undefined && !succeeded ? { onlyFailures: nothing } : {}),
    ...(doubt === undefined ? {} : { doubt }),
  }
}

/** Lags below this share of a limit are noise. */
const NOISE_SHARE = 0.01

/**
 * Whether the floor is met or missed only because of the client: had it sent its requests in time the server could have been
 * slower by as much; without its own delay sessions would have been quicker.
 */
function doubtAbout(
  { requestList: requests, breakdowns, sessions }: Receiver,
  constraints: GoodputConstraints,
  per: Goodput['of'],
  holds: (goodput: Goodput) => boolean,
): string | undefined {
  const { meanMs, shareOfRequests } = clientLag(requests)
  const isHeld = holds(goodput(sessions, requests, constraints, per))
  const sessionLagMs = breakdowns.reduce((sum, { clientDelayMs }) => sum + clientDelayMs, 0) / Math.max(1, breakdowns.length)
  const { ttft, requestLatency, tpot, ntpot, workflowLatency } = constraints
  const less = (limitMs: number, byMs: number) => (Math.abs(byMs) <= NOISE_SHARE * limitMs ? limitMs : limitMs - byMs)
  const fair = isHeld
    ? {
        ...constraints,
        ...(ttft === undefined ? {} : { ttft: less(ttft, meanMs) }),
        ...(requestLatency === undefined ? {} : { requestLatency: less(requestLatency, meanMs) }),
        ...(tpot === undefined ? {} : { tpot: less(tpot, tpot * shareOfRequests) }),
        ...(ntpot === undefined ? {} : { ntpot: less(ntpot, ntpot * shareOfRequests) }),
      }
    : { ...constraints, ...(workflowLatency === undefined ? {} : { workflowLatency: less(workflowLatency, -sessionLagMs) }) }
  if (holds(goodput(sessions, requests, fair, per)) === isHeld) return undefined
  return isHeld
    ? `the floor is met, but the load client sent its requests ${formatFigure(meanMs, 'ms')} late on average and so spared the server load. ${RELIEVE_THE_CLIENT}`
    : `the floor is missed, but would be met without the load client's own delay, ${formatFigure(sessionLagMs, 'ms')} a session. ${RELIEVE_THE_CLIENT}`
}

function parseFloors(floor: unknown): GoodputFloors {
  if (typeof floor === 'number') {
    checkRate(floor, matcher)
    return { share: floor }
  }
  const { share, perSecond } = known(floor, ['share', 'perSecond'], 'floor', '`0.95` or `{ perSecond: 2 }`')
  if (share !== undefined) checkRate(share, `${matcher}: \`share\``)
  if (perSecond !== undefined && !(typeof perSecond === 'number' && Number.isFinite(perSecond) && perSecond > 0)) {
    throw misuse(`\`perSecond\` is ${inspect(perSecond)}, expected a number per second above 0.`)
  }
  return { ...(share === undefined ? {} : { share }), ...(perSecond === undefined ? {} : { perSecond }) }
}

function parseConstraints(limits: unknown): GoodputConstraints {
  const given = known(limits, Object.keys(LABELS), 'constraint', "`{ ttft: '200ms', tpot: '20ms' }`")
  return Object.fromEntries(
    Object.entries(given).map(([name, limit]) => {
      if (typeof limit !== 'number' && typeof limit !== 'string') {
        throw misuse(`\`${name}\` is ${inspect(limit)}, expected milliseconds or text such as '200ms'.`)
      }
      return [name, parseDuration(limit, `${matcher}: \`${name}\``)]
    }),
  )
}

function parsePer(options: unknown, { workflowLatency }: GoodputConstraints): Goodput['of'] {
  const { per } = options === undefined ? {} : known(options, ['per'], 'option', "`{ per: 'session' }`")
  if (per !== undefined && per !== 'request' && per !== 'session') {
    throw misuse(`\`per\` is ${inspect(per)}, expected 'request' | 'session'.`)
  }
  if (workflowLatency !== undefined && per === 'request') {
    throw misuse("`workflowLatency` is of sessions: leave out `per: 'request'`, or the constraint.")
  }
  return per === 'session' || workflowLatency !== undefined ? 'sessions' : 'requests'
}

/** The entries of an object that may have only these, and has one of them. */
function known(value: unknown, names: readonly string[], what: string, example: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw misuse(`a ${what} is ${inspect(value)}, expected ${example}.`)
  }
  const given = Object.entries(value).filter(([, inner]) => inner !== undefined)
  if (given.length === 0) throw misuse(`there is no ${what}. Give at least one of ${names.join(', ')}: ${example}.`)
  for (const [name] of given) {
    if (names.includes(name)) continue
    if (/itl|inter/i.test(name)) throw misuse('gaps between tokens are not kept per request. Constrain `tpot`, their mean.')
    const close = nearest(name, [...names])
    throw misuse(
      `unknown ${what} \`${name}\`.${close === undefined ? ` Known: ${names.join(', ')}.` : ` Did you mean \`${close}\`?`}`,
    )
  }
  return Object.fromEntries(given)
}

function misuse(message: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', `${matcher}: ${message}`)
}
