import type { SessionRecord } from './records.ts'

/**
 * Workflow latency: first call sent → last call ended, of one session, waits between the calls included. `undefined` when
 * nothing was sent.
 *
 * Of a session that arrived at a rate it counts from its arrival. Were the time it waited to be started left out, a server
 * that falls behind would slow down the load that is to show it ("coordinated omission").
 */
export function workflowLatencyMs(session: SessionRecord): number | undefined {
  const startMs = countsFromMs(session)
  return startMs === undefined ? undefined : session.endMs - startMs
}

/** The moment that the latency of a session counts from. */
export function countsFromMs({ startMs, intendedMs, openLoop }: SessionRecord): number | undefined {
  if (startMs === null) return undefined
  return openLoop === true ? Math.min(intendedMs, startMs) : startMs
}
