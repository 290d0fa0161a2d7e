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

export const systemClock: Clock = {
  now: performanceNow,
  after(delayMs, run) {
    let remainingMs = delayMs
    let handle: ReturnType<typeof setTimeout>
    const arm = () => {
      const piece = Math.min(remainingMs, LONGEST_TIMER_MS)
      remainingMs -= piece
      handle = realSetTimeout(() => (remainingMs > 0 ? arm() : run()), piece)
    }
    arm()
    return { cancel: () => realClearTimeout(handle) }
  },
}
