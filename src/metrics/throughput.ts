import type { RequestRecord, SessionRecord } from './records.ts'
import type { RequestList } from './request-list.ts'

/**
 * Successful work per second, from the first request sent to the last one ended; over several stages, the sum of their
 * times. Failed work counts for nothing, but its time counts. A figure is `undefined` when nothing was sent, a token figure
 * also when requests succeeded but none of them carried a count.
 */
export interface Throughput {
  readonly requestsPerSecond: number | undefined
  readonly inputTokensPerSecond: number | undefined
  readonly outputTokensPerSecond: number | undefined
  readonly totalTokensPerSecond: number | undefined
  readonly sessionsPerSecond: number | undefined
  /** At least one request's tokens are an estimate, or missing: the server sent no usage for it. */
  readonly tokensEstimated: boolean
}

export function throughput(sessions: readonly SessionRecord[], requests: RequestList): Throughput {
  const seconds = busyMs(requests) / 1_000
  const succeeded = requests.filter((request) => request.state === 'succeeded')
  const perSecond = (amount: number | undefined) => (amount === undefined || seconds <= 0 ? undefined : amount / seconds)
  const inputTokens = total(succeeded, (request) => request.inputTokens)
  const outputTokens = total(succeeded, (request) => request.outputTokens)
  const totalTokens = inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens
  return {
    requestsPerSecond: perSecond(succeeded.length),
    inputTokensPerSecond: perSecond(inputTokens),
    outputTokensPerSecond: perSecond(outputTokens),
    totalTokensPerSecond: perSecond(totalTokens),
    sessionsPerSecond: perSecond(sessions.filter((session) => session.state === 'succeeded').length),
    tokensEstimated: succeeded.some((request) => request.tokensEstimated || request.outputTokens === null),
  }
}

/** First sent → last ended of each stage, added up: a warm-up between two measured stages is not part of either. */
export function busyMs(requests: RequestList): number {
  const stages = new Map<number, { from: number; to: number }>()
  for (const { stage, sentMs, endMs } of requests) {
    if (sentMs === null) continue
    const to = endMs ?? sentMs
    const span = stages.get(stage)
    if (span === undefined) stages.set(stage, { from: sentMs, to })
    else {
      span.from = Math.min(span.from, sentMs)
      span.to = Math.max(span.to, to)
    }
  }
  let sum = 0
  for (const { from, to } of stages.values()) sum += to - from
  return sum
}

function total(requests: RequestList, tokens: (request: RequestRecord) => number | null): number | undefined {
  let sum = requests.length === 0 ? 0 : undefined
  for (const request of requests) {
    const count = tokens(request)
    if (count !== null) sum = (sum ?? 0) + count
  }
  return sum
}
