/** A timer that can be taken back. */
export interface Timer {
  cancel(): void
}

/** Time as an argument: the engine never reads a global clock, so that tests can own it. */
export interface Clock {
  /** Monotonic, in milliseconds with sub-millisecond precision. The origin is arbitrary. */
  now(): number
  /** Calls `run` once, `delayMs` from now. */
  after(delayMs: number, run: () => void): Timer
}

// Captured when the module loads: `vi.useFakeTimers()` in a user's test must not bend our measurements.
const performanceNow = performance.now.bind(performance)
const realSetTimeout = globalThis.setTimeout
const realClearTimeout = globalThis.clearTimeout

/** Node arms a timer beyond 2^31 - 1 ms at 1 ms; longer waits are cut into pieces. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** Node counts in whole milliseconds of a time that it looks up now and then: its timers may be early by more than one. */
const MOST_EARLY_MS = 1

export const systemClock: Clock = {
  now: performanceNow,
  after(delayMs, run) {
    const dueMs = performanceNow() + delayMs
    let handle = realSetTimeout(fire, Math.min(delayMs, LONGEST_TIMER_MS))
    function fire(): void {
      const leftMs = dueMs - performanceNow()
      if (leftMs < MOST_EARLY_MS) run()
      else handle = realSetTimeout(fire, Math.min(leftMs, LONGEST_TIMER_MS))
    }
    return { cancel: () => realClearTimeout(handle) }
  },
}
