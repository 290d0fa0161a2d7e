import { CallSet } from './call-set.ts'
import type { Thread } from './threads.ts'

/** The calls of threads that ran for another one, or for one that ran for it, and so on. */
export class Errands {
  readonly #size: number
  readonly #callsOf = new Map<number, CallSet>()
  readonly #employer = new Map<number, number>()

  constructor(size: number) {
    this.#size = size
  }

  add(index: number, thread: Thread, employer: number): void {
    this.#employer.set(index, employer)
    for (const each of this.#chain(employer)) {
      const calls = this.#callsOf.get(each) ?? new CallSet(this.#size)
      for (const rank of thread.calls) calls.add(rank)
      this.#callsOf.set(each, calls)
    }
  }

  /** Removes what ran for threads under way, but for those that are awaited and those they run for. */
  removeFrom(calls: CallSet, underWay: readonly number[], awaited: readonly number[]): void {
    if (this.#callsOf.size === 0) return
    const kept = new Set(awaited.flatMap((each) => [...this.#chain(each)]))
    for (const other of underWay) {
      const errands = kept.has(other) ? undefined : this.#callsOf.get(other)
      if (errands !== undefined) calls.deleteAll(errands)
    }
  }

  *#chain(index: number): Generator<number> {
    for (let each: number | undefined = index; each !== undefined; each = this.#employer.get(each)) yield each
  }
}
