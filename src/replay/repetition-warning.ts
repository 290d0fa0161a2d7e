import type { Warning } from '../base/index.ts'
import type { SessionRecord } from '../metrics/index.ts'
import type { IsolateCache } from '../workload/index.ts'

/** Says that sessions ran more than once. By those that ran: more are drawn ahead than may ever start. */
export function repetitionWarning(
  sessions: readonly Pick<SessionRecord, 'id' | 'recorded'>[],
  isolateCache: IsolateCache,
): Warning | undefined {
  if (sessions.every(({ id, recorded }) => id === recorded)) return undefined
  const recorded = new Set(sessions.map((session) => session.recorded)).size
  const cache =
    isolateCache === 'none'
      ? 'Repetitions share the prefix cache of the server.'
      : 'Repetitions carry a marker that keeps them apart in the prefix cache of the server.'
  return {
    code: 'workload-repeated',
    message: `${sessions.length} sessions were replayed from ${recorded} recorded ${recorded === 1 ? 'one' : 'ones'}. ${cache}`,
  }
}
