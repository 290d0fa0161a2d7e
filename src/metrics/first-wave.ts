import { formatDuration, type Warning } from '../base/index.ts'
import type { SessionRecord, StageRecord } from './records.ts'
import type { RequestList } from './request-list.ts'
import { timeToFirstTokenMs } from './request-metrics.ts'

/** Fewer sessions than this, in the first wave or after it, say nothing. */
const FEWEST_SESSIONS = 5
/** By both measures at once the first wave is another load than the rest. */
const LEAST_FACTOR = 2
const LEAST_DIFFERENCE_MS = 20

/**
 * Whether the sessions that start a stage, all at once and on a server that may be cold, met another server than those that
 * came later: their figures are mixed with the rest.
 *
 * @returns a warning to that effect; `undefined` for warm-ups, and where nothing speaks for it
 */
export function firstWaveWarning(
  stage: Pick<StageRecord, 'index' | 'warmup' | 'concurrentSessions'>,
  sessions: readonly SessionRecord[],
  requests: RequestList,
): Warning | undefined {
  const { index, warmup, concurrentSessions } = stage
  if (warmup) return undefined
  const started = sessions
    .filter((session) => session.stage === index && session.startMs !== null)
    .sort((a, b) => a.intendedMs - b.intendedMs || (a.startMs ?? 0) - (b.startMs ?? 0))
  const wave = new Set(started.slice(0, concurrentSessions).map(({ id }) => id))
  if (wave.size < FEWEST_SESSIONS || started.length - wave.size < FEWEST_SESSIONS) return undefined
  const [first, later]: [number[], number[]] = [[], []]
  for (const request of requests) {
    const ttftMs = request.stage === index && request.state === 'succeeded' ? timeToFirstTokenMs(request) : undefined
    if (ttftMs !== undefined) (wave.has(request.session) ? first : later).push(ttftMs)
  }
  const firstMs = median(first)
  const laterMs = median(later)
  if (firstMs === undefined || laterMs === undefined) return undefined
  const [low, high] = firstMs < laterMs ? [firstMs, laterMs] : [laterMs, firstMs]
  if (high < LEAST_FACTOR * low || high - low < LEAST_DIFFERENCE_MS) return undefined
  const ms = (value: number) => formatDuration(Math.round(value))
  return {
    code: 'first-wave-differs',
    where: `stages[${index}]`,
    message: `The first ${wave.size} sessions had a TTFT of ${ms(firstMs)} (median), the ${started.length - wave.size} after them ${ms(laterMs)}: a server that is still cold, or a burst that does not come again. A stage with \`warmup: true\` before this one keeps it out of the figures.`,
  }
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
