import { CallSet } from './call-set.ts'
import type { Thread } from './threads.ts'
import { ranksBy } from './timeline.ts'

/** The calls of threads that have ended as a whole, as time goes on. */
export class SettledCalls {
  readonly #threads: readonly Thread[]
  readonly #bySettling: readonly number[]
  readonly #calls: CallSet
  readonly #size: number
  #next = 0

  constructor(size: number, threads: readonly Thread[]) {
    this.#size = size
    this.#threads = threads
    this.#bySettling = ranksBy(threads.map((thread) => thread.settledFrom))
    this.#calls = new CallSet(size)
  }

  /** @returns whether any thread of several calls has settled since */
  advance(rank: number): boolean {
    let conversations = false
    for (; this.#next < this.#bySettling.length; this.#next++) {
      const thread = this.#threads[this.#bySettling[this.#next] ?? 0]
      if (thread === undefined || thread.settledFrom > rank) break
      for (const call of thread.calls) this.#calls.add(call)
      conversations ||= thread.calls.length > 1
    }
    return conversations
  }

  without(...others: readonly (CallSet | undefined)[]): CallSet {
    const calls = new CallSet(this.#size)
    calls.addAll(this.#calls)
    for (const other of others) if (other !== undefined) calls.deleteAll(other)
    return calls
  }
}
