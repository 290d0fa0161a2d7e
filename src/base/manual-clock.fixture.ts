import type { Clock } from './clock.ts'

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves time on by `ms`, running what falls due in order; a timer sees `now()` at its own due time. */
  advance(ms: number): void
  /** Moves time to the next timer and runs it. `false` when none is armed. */
  advanceToNext(): boolean
  /** How many timers are armed: none may be left when everything has ended. */
  readonly pending: number
}

interface Entry {
  readonly dueMs: number
  readonly run: () => void
}

/** Timers fall due in order of their time, then of their arming; those armed while time moves take part. */
export function manualClock(startMs = 0): ManualClock {
  let nowMs = startMs
  const entries = new Set<Entry>()

  const earliest = (): Entry | undefined => {
    let found: Entry | undefined
    for (const entry of entries) if (found === undefined || entry.dueMs < found.dueMs) found = entry
    return found
  }
  const run = (entry: Entry): void => {
    entries.delete(entry)
    nowMs = Math.max(nowMs, entry.dueMs)
    entry.run()
  }

  return {
    now: () => nowMs,
    after(delayMs, callback) {
      const entry = { dueMs: nowMs + Math.max(0, delayMs), run: callback }
      entries.add(entry)
      return { cancel: () => void entries.delete(entry) }
    },
    advance(ms) {
      const untilMs = nowMs + ms
      for (let next = earliest(); next !== undefined && next.dueMs <= untilMs; next = earliest()) run(next)
      nowMs = untilMs
    },
    advanceToNext() {
      const next = earliest()
      if (next !== undefined) run(next)
      return next !== undefined
    },
    get pending() {
      return entries.size
    },
  }
}
