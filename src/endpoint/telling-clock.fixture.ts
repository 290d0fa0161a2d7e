import type { Clock } from '../base/index.ts'
import { type ManualClock, manualClock } from '../base/manual-clock.fixture.ts'

/** A manual clock that tells when a timer of this length is armed: the moment its limit has come into force. */
export function tellingClock(): ManualClock & { armed(delayMs: number): Promise<void> } {
  const clock = manualClock()
  const waiting = new Map<number, () => void>()
  const after: Clock['after'] = (delayMs, run) => {
    const timer = clock.after(delayMs, run)
    waiting.get(delayMs)?.()
    return timer
  }
  return {
    ...clock,
    now: clock.now,
    after,
    get pending() {
      return clock.pending
    },
    armed: (delayMs) => new Promise((resolve) => waiting.set(delayMs, resolve)),
  }
}
