import type { RequestList } from './request-list.ts'
import { requestLatencyMs, scheduleLagMs } from './request-metrics.ts'

/** How much of a run's time was the load client's own. */
export interface ClientLag {
  /** Mean schedule lag of the requests that were sent. */
  readonly meanMs: number
  /** Lag ÷ (lag + request latency), summed over the requests that were sent: 0 to 1. */
  readonly shareOfRequests: number
  /** The same with the recorded waits in the whole. */
  readonly shareOfSessions: number
}

export function clientLag(requests: RequestList): ClientLag {
  let sent = 0
  let lagMs = 0
  let waitMs = 0
  let latencyMs = 0
  for (const request of requests) {
    const ofRequestMs = scheduleLagMs(request)
    if (ofRequestMs === undefined) continue
    sent += 1
    lagMs += ofRequestMs
    waitMs += request.waitMs
    latencyMs += requestLatencyMs(request) ?? 0
  }
  const share = (wholeMs: number) => (wholeMs === 0 ? 0 : lagMs / wholeMs)
  return {
    meanMs: sent === 0 ? 0 : lagMs / sent,
    shareOfRequests: share(lagMs + latencyMs),
    shareOfSessions: share(lagMs + latencyMs + waitMs),
  }
}
