import type { ReplayGraph } from '../../graph/index.ts'
import type { ToThread } from './thread-protocol.ts'

/**
 * The recorded sessions that a thread has: a copy of each, for as long as sessions that replay it are in flight there. A
 * copy for each session would hold its text as often as it is replayed.
 */
export class SentRecordings {
  readonly #post: (message: ToThread) => void
  readonly #sent = new Map<ReplayGraph, { readonly key: number; sessions: number }>()
  #keys = 0

  constructor(post: (message: ToThread) => void) {
    this.#post = post
  }

  /** For one more session. @returns how the thread knows it */
  take(graph: ReplayGraph): number {
    const known = this.#sent.get(graph)
    if (known !== undefined) {
      known.sessions++
      return known.key
    }
    const key = ++this.#keys
    this.#sent.set(graph, { key, sessions: 1 })
    this.#post({ type: 'recording', key, graph })
    return key
  }

  /** A session that replayed it has ended. */
  release(graph: ReplayGraph): void {
    const sent = this.#sent.get(graph)
    if (sent === undefined || --sent.sessions > 0) return
    this.#sent.delete(graph)
    this.#post({ type: 'forget', key: sent.key })
  }
}
