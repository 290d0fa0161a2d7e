import { CallSet } from './call-set.ts'
import type { Thread } from './threads.ts'

const NONE = new CallSet(0)

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

  /** What ran for threads under way, less what ran for those that are awaited. */
  foreign(underWay: readonly number[], awaited: readonly number[]): CallSet | undefined {
    if (this.#callsOf.size === 0) return undefined
    const calls = new CallSet(this.#size)
    for (const each of underWay) calls.addAll(this.#callsOf.get(each) ?? NONE)
    for (const each of awaited) calls.deleteAll(this.#callsOf.get(each) ?? NONE)
    return calls
  }

  *#chain(index: number): Generator<number> {
    for (let each: number | undefined = index; each !== undefined; each = this.#employer.get(each)) yield each
  }
}
