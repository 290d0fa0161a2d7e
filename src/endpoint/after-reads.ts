// Captured when the module loads: `vi.useFakeTimers()` in a user's test must not hold our responses back.
const realSetImmediate = globalThis.setImmediate

/** Something that has read bytes and not looked at them yet. */
export interface Reading {
  takeIn(): void
}

/**
 * Looks at bytes only when every socket that is ready has been read, so that the time at which one stream's chunk arrived
 * does not hold the work on another stream's.
 */
export class AfterReads {
  #waiting: Reading[] = []
  #scheduled = false

  add(reading: Reading): void {
    this.#waiting.push(reading)
    if (this.#scheduled) return
    this.#scheduled = true
    realSetImmediate(this.#run)
  }

  readonly #run = (): void => {
    const waiting = this.#waiting
    this.#waiting = []
    this.#scheduled = false
    for (const reading of waiting) reading.takeIn()
  }
}
