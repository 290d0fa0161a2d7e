import { inspect } from 'node:util'
import { type Duration, nearest, parseDuration, TraceReplayError } from '../../base/index.ts'
import type { ComparedFigure, ComparedLatency, Comparison, LatencyQuestion, Tolerance } from '../../stats/index.ts'

/** `'5%'`, or the same as a number: 0.05. */
export type Share = number | `${number}%`

/**
 * How much worse a figure may be: a share of the base. What is worse by more, but by less than `absolute`, is no regression
 * either: 20 % of a millisecond is nothing.
 */
export type ChangeLimit = Share | { readonly relative: Share; readonly absolute: Duration }

/**
 * Limits on how much slower one latency may be. `typical`: the geometric mean of each pair's ratio, session by session or
 * call by call. `tail`: the same over the fifth of the sessions that hold the most recorded work. Percentiles take far more
 * sessions to see the same change.
 */
export interface ChangeLimits {
  readonly typical?: ChangeLimit
  readonly tail?: ChangeLimit
  readonly p50?: ChangeLimit
  readonly p90?: ChangeLimit
  readonly p95?: ChangeLimit
  readonly p99?: ChangeLimit
  readonly [percentile: `p${number}`]: ChangeLimit
}

/** What is compared, and how much worse each may be. */
export interface RegressionLimits {
  readonly workflowLatency?: ChangeLimits
  readonly requestLatency?: ChangeLimits
  readonly timeToFirstToken?: ChangeLimits
  readonly timePerOutputToken?: ChangeLimits
  /** By how many points it may drop: `'1%'` allows 98 % where the base had 99 %. */
  readonly sessionSuccessRate?: Share
}

export interface RegressionOptions {
  /**
   * What to make of a figure that the sessions are too few to decide on. It is shown either way.
   *
   * @default 'pass'
   */
  readonly onInconclusive?: 'pass' | 'fail'
}

const DEFAULT_LIMITS: RegressionLimits = { workflowLatency: { typical: '5%', tail: '10%' }, sessionSuccessRate: '1%' }

/** Below these a change is nothing that anyone would notice, whatever its share. */
const DEFAULT_ABSOLUTE_MS: Readonly<Record<ComparedLatency, number>> = {
  workflowLatency: 50,
  requestLatency: 20,
  timeToFirstToken: 5,
  timePerOutputToken: 0.2,
}

const RATE = 'sessionSuccessRate'
const KNOWN = [...Object.keys(DEFAULT_ABSOLUTE_MS), RATE]
const SYNONYMS: Readonly<Record<string, string>> = {
  ttft: 'timeToFirstToken',
  tpot: 'timePerOutputToken',
  successRate: RATE,
  latency: 'workflowLatency',
}

const matcher = 'toRegressFrom'

/** @throws {TraceReplayError} `INVALID_OPTION` */
export function parseRegressionLimits(limits: unknown = DEFAULT_LIMITS): Comparison {
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits)) {
    throw misuse(`the limits are ${inspect(limits)}, expected an object: \`{ workflowLatency: { typical: '5%' } }\`.`)
  }
  const entries = Object.entries(limits).filter(([, limit]) => limit !== undefined)
  if (entries.length === 0) throw misuse(`there is no limit to hold the run to. Give at least one of ${KNOWN.join(', ')}.`)
  for (const [name] of entries) if (!KNOWN.includes(name)) throw misuse(`unknown metric \`${name}\`.${meant(name)}`)
  const rate = entries.find(([name]) => name === RATE)
  return {
    latencies: entries.flatMap(([name, figures]) => (name === RATE ? [] : questions(name as ComparedLatency, figures))),
    ...(rate === undefined ? {} : { successRate: parseShare(rate[1], RATE) }),
  }
}

/** @throws {TraceReplayError} `INVALID_OPTION` */
export function parseRegressionOptions(options: unknown = {}): Required<RegressionOptions> {
  if (typeof options !== 'object' || options === null) {
    throw misuse(`the third argument is ${inspect(options)}, expected \`{ onInconclusive: 'fail' }\`.`)
  }
  for (const name of Object.keys(options)) {
    if (name !== 'onInconclusive') throw misuse(`unknown option \`${name}\` in the third argument. Known: onInconclusive.`)
  }
  const { onInconclusive = 'pass' } = options as { onInconclusive?: unknown }
  if (onInconclusive !== 'pass' && onInconclusive !== 'fail') {
    throw misuse(`\`onInconclusive\` is ${inspect(onInconclusive)}, expected 'pass' | 'fail'.`)
  }
  return { onInconclusive }
}

function questions(metric: ComparedLatency, figures: unknown): LatencyQuestion[] {
  if (typeof figures !== 'object' || figures === null) {
    throw misuse(`\`${metric}\` is ${inspect(figures)}, expected an object: \`{ typical: '5%', tail: '10%' }\`.`)
  }
  const entries = Object.entries(figures).filter(([, limit]) => limit !== undefined)
  if (entries.length === 0) throw misuse(`\`${metric}\` has no limit. Give at least one of typical, tail, p50, p95, p99.`)
  return entries.map(([name, limit]) => {
    const where = `${metric}.${name}`
    return { metric, figure: parseFigure(name, where), tolerance: parseLimit(limit, where, DEFAULT_ABSOLUTE_MS[metric]) }
  })
}

function parseFigure(name: string, where: string): ComparedFigure {
  if (name === 'typical' || name === 'tail') return name
  const percent = Number(/^p(\d+(?:\.\d+)?)$/.exec(name)?.[1])
  if (percent > 0 && percent < 100) return name as `p${number}`
  const close = nearest(name, ['typical', 'tail', 'p50', 'p90', 'p95', 'p99'])
  const instead = ['mean', 'median', 'average'].includes(name) ? 'typical' : name === 'max' ? 'tail' : close
  throw misuse(
    `unknown figure \`${where}\`.${instead === undefined ? ' Known: typical, tail, and percentiles such as p95.' : ` Did you mean \`${instead}\`?`}`,
  )
}

function parseLimit(limit: unknown, where: string, absoluteMs: number): Tolerance {
  if (typeof limit !== 'object' || limit === null) return { relative: parseShare(limit, where), absoluteMs }
  for (const name of Object.keys(limit)) {
    if (name !== 'relative' && name !== 'absolute')
      throw misuse(`unknown option \`${where}.${name}\`. Known: relative, absolute.`)
  }
  const { relative, absolute = absoluteMs } = limit as { relative?: unknown; absolute?: unknown }
  if (typeof absolute !== 'number' && typeof absolute !== 'string') {
    throw misuse(`\`${where}.absolute\` is ${inspect(absolute)}, expected milliseconds or text such as '50ms'.`)
  }
  return {
    relative: parseShare(relative, `${where}.relative`),
    absoluteMs: parseDuration(absolute, `${matcher}: \`${where}.absolute\``),
  }
}

function parseShare(value: unknown, where: string): number {
  const percent = typeof value === 'string' ? /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(value)?.[1] : undefined
  if (percent !== undefined) return Number(percent) / 100
  if (typeof value === 'number' && value >= 0 && value < 1) return value
  const meant = typeof value === 'number' && value >= 1 ? ` Did you mean '${value}%'?` : ''
  throw misuse(`\`${where}\` is ${inspect(value)}, expected a share such as '5%' or 0.05.${meant}`)
}

function meant(name: string): string {
  const close = (Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : undefined) ?? nearest(name, KNOWN)
  return close === undefined ? ` Known: ${KNOWN.join(', ')}.` : ` Did you mean \`${close}\`?`
}

function misuse(message: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', `${matcher}: ${message}`)
}
