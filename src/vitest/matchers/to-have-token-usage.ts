import { inspect } from 'node:util'
import { nearest, TraceReplayError } from '../../base/index.ts'
import { type RequestList, type TokenCount, tokensOf, tokenUsage } from '../../metrics/index.ts'
import { formatCount, type Section } from '../../report/index.ts'
import { type Figure, judge, type MatcherResult, type ReplayMatcher } from './judge.ts'
import { type DistributionFigure, parseFigure } from './latency-limits.ts'
import type { Receiver } from './receiver.ts'
import { tooFew } from './too-few-samples.ts'

export interface TokenUsageMatcher<Result> {
  /**
   * Holds the tokens of each session, or of each request, to ceilings. All given ones must hold. What did not succeed ranks
   * as infinitely many.
   *
   * @example
   * expect(run).toHaveTokenUsage({ totalTokens: { p95: 60_000 }, outputTokens: { mean: 2_000 } })
   * expect(run).toHaveTokenUsage({ inputTokens: { max: 32_000 } }, { per: 'request' })
   */
  toHaveTokenUsage(limits: TokenUsageLimits, options?: TokenUsageOptions): Result
}

export interface TokenUsageLimits {
  /** Prompt tokens, cached ones too. */
  readonly inputTokens?: TokenLimits
  readonly outputTokens?: TokenLimits
  /** Both. */
  readonly totalTokens?: TokenLimits
  /** Prompt tokens that were not in the server's cache, where it reports that. */
  readonly uncachedInputTokens?: TokenLimits
}

/** Ceilings on figures of a number of tokens: percentiles (`p95`, `p99.9`), `max`, `mean`. */
export interface TokenLimits {
  readonly p50?: number
  readonly p90?: number
  readonly p95?: number
  readonly p99?: number
  readonly max?: number
  readonly mean?: number
  readonly [percentile: `p${number}`]: number
}

export interface TokenUsageOptions {
  /** What one sample is of. @default 'session' */
  readonly per?: 'session' | 'request'
}

const matcher = 'toHaveTokenUsage'

const LABELS: Readonly<Record<TokenCount, string>> = {
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  totalTokens: 'input and output tokens',
  uncachedInputTokens: 'uncached input tokens',
}

type Per = 'sessions' | 'requests'
type Arguments = [limits: TokenUsageLimits, options?: TokenUsageOptions]

export const toHaveTokenUsage: ReplayMatcher<Arguments> = function tokens(received, ...args): MatcherResult {
  return judge(this, received, {
    matcher,
    argument: args.map((argument) => inspect(argument, { breakLength: Number.POSITIVE_INFINITY })).join(', '),
    self: tokens,
    figures(measured) {
      const per = parsePer(args[1])
      return parseLimits(args[0]).map(([what, limit]) => figure(measured, what, limit, per))
    },
    explain: ({ requestList: requests }) => biggestCalls(requests),
  })
}

interface TokenLimit extends DistributionFigure {
  readonly limit: number
}

function figure({ sessions, requestList: requests }: Receiver, what: TokenCount, limit: TokenLimit, per: Per): Figure {
  const distribution = tokenUsage(sessions, requests, what, per)
  const { count, failures } = distribution
  const estimated = requests.some(({ state, tokensEstimated }) => state === 'succeeded' && tokensEstimated)
  const note = [tooFew(limit, count, per, 'largest'), ...(estimated ? ['Tokens are estimates: the server sent no usage.'] : [])]
    .filter((text) => text !== undefined)
    .join(' ')
  const nothing =
    per === 'sessions' && failures > 0
      ? 'no session succeeded'
      : `no successful response carried its number of ${LABELS[what]}${what === 'uncachedInputTokens' ? ' that were cached' : ''}`
  return {
    label: `${LABELS[what]} of a ${per === 'sessions' ? 'session' : 'request'} ${limit.name}`,
    observed: limit.read(distribution, 'all'),
    limit: limit.limit,
    unit: 'tokens',
    direction: 'ceiling',
    samples: count,
    sampled: per,
    ...(failures > 0 && failures < count ? { successful: limit.read(distribution, 'successful') ?? null } : {}),
    ...(note === '' ? {} : { note }),
    ...(count === 0 ? { unmeasured: nothing } : {}),
    ...(count === failures ? { onlyFailures: nothing } : {}),
  }
}

const MOST_LINES = 5

/** By call name, those first that used most. */
function biggestCalls(requests: RequestList): Section[] {
  const calls = new Map<string, { count: number; input: number; output: number }>()
  for (const request of requests) {
    if (request.state !== 'succeeded') continue
    const sum = calls.get(request.name) ?? { count: 0, input: 0, output: 0 }
    calls.set(request.name, sum)
    sum.count += 1
    sum.input += tokensOf(request, 'inputTokens') ?? 0
    sum.output += tokensOf(request, 'outputTokens') ?? 0
  }
  const lines = [...calls]
    .sort(([, a], [, b]) => b.input + b.output - (a.input + a.output))
    .slice(0, MOST_LINES)
    .map(
      ([name, { count, input, output }]) =>
        `'${name}': ${formatCount(count)} × ${formatCount(input / count)} in, ${formatCount(output / count)} out on average`,
    )
  return lines.length === 0 ? [] : [{ title: 'Calls that used most tokens', lines }]
}

function parseLimits(limits: unknown): [TokenCount, TokenLimit][] {
  const example = '`{ totalTokens: { p95: 60_000 } }`'
  if (!isObject(limits)) throw misuse(`the limits are ${inspect(limits)}, expected an object such as ${example}.`)
  const parsed = given(limits).flatMap(([what, ceilings]) => {
    if (!isTokenCount(what)) {
      const close = nearest(what, Object.keys(LABELS))
      throw misuse(
        `unknown limit \`${what}\`.${close === undefined ? ` Known: ${Object.keys(LABELS).join(', ')}.` : ` Did you mean \`${close}\`?`}`,
      )
    }
    if (!isObject(ceilings)) {
      const meant = typeof ceilings === 'number' ? ` Did you mean \`{ max: ${ceilings} }\` or \`{ mean: ${ceilings} }\`?` : ''
      throw misuse(`\`${what}\` is ${inspect(ceilings)}, expected an object such as \`{ p95: 60_000 }\`.${meant}`)
    }
    return given(ceilings).map(([name, limit]): [TokenCount, TokenLimit] => {
      if (typeof limit !== 'number' || !Number.isFinite(limit) || limit <= 0) {
        throw misuse(`\`${what}.${name}\` is ${inspect(limit)}, expected a number of tokens above 0.`)
      }
      return [what, { ...parseFigure(name, `${matcher}: \`${what}\``), limit }]
    })
  })
  if (parsed.length === 0) throw misuse(`there is no limit to hold the run to: ${example}.`)
  return parsed
}

function parsePer(options: unknown): Per {
  if (options === undefined) return 'sessions'
  if (!isObject(options)) throw misuse(`the second argument is ${inspect(options)}, expected \`{ per: 'request' }\`.`)
  for (const [name, value] of given(options)) {
    if (name !== 'per') throw misuse(`unknown option \`${name}\` in the second argument. Known: per.`)
    if (value !== 'session' && value !== 'request') throw misuse(`\`per\` is ${inspect(value)}, expected 'session' | 'request'.`)
  }
  return options.per === 'request' ? 'requests' : 'sessions'
}

function given(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, inner]) => inner !== undefined)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTokenCount(name: string): name is TokenCount {
  return Object.hasOwn(LABELS, name)
}

function misuse(message: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', `${matcher}: ${message}`)
}
