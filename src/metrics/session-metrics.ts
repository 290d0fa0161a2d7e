import type { SessionRecord } from './records.ts'

/** Workflow latency: first call sent → last call ended, of one session, waits between the calls included. `undefined` when nothing was sent. */
export function workflowLatencyMs({ startMs, endMs }: SessionRecord): number | undefined {
  return startMs === null ? undefined : endMs - startMs
}
