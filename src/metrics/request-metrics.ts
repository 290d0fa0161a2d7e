import type { RequestRecord } from './records.ts'

/*
 * The definitions of what is measured of one request. Each gives the value as the response carried it, in milliseconds
 * unless it says otherwise, and `undefined` where the response carried none. How failures rank is not decided here.
 */

/** Request latency: request sent → end of the stream. */
export function requestLatencyMs({ sentMs, endMs }: RequestRecord): number | undefined {
  return between(sentMs, endMs)
}

/** TTFT: request sent → first chunk with output of any kind (text, reasoning, tool call). An empty role chunk is none. */
export function timeToFirstTokenMs({ sentMs, firstOutputMs }: RequestRecord): number | undefined {
  return between(sentMs, firstOutputMs)
}

/**
 * TPOT: (last output chunk − first) ÷ (output tokens − 1). `undefined` for fewer than two tokens, an unknown number of
 * tokens, or output that came in a single chunk, whose tokens have no times of their own.
 */
export function timePerOutputTokenMs(request: RequestRecord): number | undefined {
  const { firstOutputMs, lastOutputMs, outputTokens, outputChunks } = request
  if (outputTokens === null || outputTokens < 2 || outputChunks < 2) return undefined
  const outputMs = between(firstOutputMs, lastOutputMs)
  return outputMs === undefined ? undefined : outputMs / (outputTokens - 1)
}

/** NTPOT: request latency ÷ output tokens. `undefined` without output tokens, or when their number is unknown. */
export function normalizedTimePerOutputTokenMs(request: RequestRecord): number | undefined {
  const latencyMs = requestLatencyMs(request)
  const { outputTokens } = request
  return latencyMs === undefined || outputTokens === null || outputTokens < 1 ? undefined : latencyMs / outputTokens
}

/**
 * Schedule lag: intended start → request sent, less the time spent connecting. The intended start is when the last
 * predecessor had ended and the recorded wait was over. It is the client's own delay, none of the server's.
 */
export function scheduleLagMs({ readyMs, waitMs, sentMs, connectMs }: RequestRecord): number | undefined {
  const sinceReadyMs = between(readyMs, sentMs)
  return sinceReadyMs === undefined ? undefined : Math.max(0, sinceReadyMs - waitMs - connectMs)
}

/** KV-cache hit: cached ÷ prompt tokens, from 0 to 1. `undefined` where the server does not report it. */
export function cachedShare({ cachedInputTokens, inputTokens }: RequestRecord): number | undefined {
  return cachedInputTokens === null || inputTokens === null || inputTokens < 1 ? undefined : cachedInputTokens / inputTokens
}

function between(from: number | null, to: number | null): number | undefined {
  return from === null || to === null ? undefined : to - from
}
