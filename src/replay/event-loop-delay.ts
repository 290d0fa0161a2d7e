import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ClientRecord } from '../metrics/index.ts'

const RESOLUTION_MS = 10
const NANOSECONDS_PER_MS = 1e6

/** Watches how late the event loop runs: a client that cannot keep up measures itself. */
export function watchEventLoop(): { stop(): ClientRecord['eventLoopDelayMs'] } {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  return {
    stop() {
      histogram.disable()
      // The histogram holds the distances between ticks; what exceeds the tick itself is delay. Empty for the shortest runs.
      const delay = (nanoseconds: number) =>
        histogram.count === 0 ? 0 : Math.max(0, nanoseconds / NANOSECONDS_PER_MS - RESOLUTION_MS)
      return { p50: delay(histogram.percentile(50)), p99: delay(histogram.percentile(99)), max: delay(histogram.max) }
    },
  }
}
