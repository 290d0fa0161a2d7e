import type { SessionRecord } from './records.ts'
import type { RequestList } from './request-list.ts'

/** All failures of one kind. */
export interface ErrorGroup {
  /** `http_503`, `idle_timeout`, … */
  readonly label: string
  /** How many requests failed so. */
  readonly count: number
  /** One of the messages, as an example. */
  readonly message: string
  /** Ids of the sessions it happened in, each once. */
  readonly sessions: readonly string[]
}

/**
 * Failures grouped by label, most frequent first. A cancelled request is no failure of its own; a session that ended badly
 * without any request to blame (it was cut off while it waited) counts once.
 */
export function groupErrors(sessions: readonly SessionRecord[], requests: RequestList): ErrorGroup[] {
  const groups = new Map<string, { count: number; message: string; sessions: Set<string> }>()
  const add = (label: string, message: string, session: string) => {
    const group = groups.get(label) ?? { count: 0, message, sessions: new Set() }
    groups.set(label, group)
    group.count += 1
    group.sessions.add(session)
  }
  const blamed = new Set<string>()
  for (const { session, state, error } of requests) {
    if (error === null || state === 'succeeded' || state === 'cancelled') continue
    blamed.add(session)
    add(error.label, error.message, session)
  }
  for (const { id, state, error } of sessions) {
    if (state === 'succeeded' || blamed.has(id)) continue
    if (error !== null) add(error.label, error.message, id)
    else if (state === 'cut-off') add('cut_off', 'The session had not ended when its stage did.', id)
    else add('unknown', 'The session failed without a recorded error.', id)
  }
  return [...groups]
    .map(([label, { count, message, sessions: ids }]) => ({ label, count, message, sessions: [...ids] }))
    .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
}
