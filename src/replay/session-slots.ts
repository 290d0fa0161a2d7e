import type { Clock } from '../base/index.ts'
import type { StagePlan } from './options-schema.ts'

/** Room for sessions in flight: a limit that is fixed, or that a ramp moves with time. Lets one caller wait for it. */
export class SessionSlots {
  readonly #plan: Pick<StagePlan, 'concurrentSessions' | 'ramp'>
  readonly #clock: Clock
  readonly #startMs: number
  #inFlight = 0
  #wake: (() => void) | undefined

  constructor(plan: Pick<StagePlan, 'concurrentSessions' | 'ramp'>, clock: Clock) {
    this.#plan = plan
    this.#clock = clock
    this.#startMs = clock.now()
  }

  take(): void {
    this.#inFlight++
  }

  give(): void {
    this.#inFlight--
    this.#wake?.()
  }

  /** Resolves when there is room, or at the abort. */
  async free(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#inFlight >= this.#limit()) await this.#change(signal)
  }

  #limit(): number {
    const { ramp, concurrentSessions } = this.#plan
    if (ramp === null) return concurrentSessions
    const { from, to, overMs } = ramp
    const share = overMs === 0 ? 1 : Math.min(1, (this.#clock.now() - this.#startMs) / overMs)
    // Up: a session more only when its time has come. Down: one less as soon as it has.
    return to >= from ? Math.floor(from + (to - from) * share) : Math.ceil(from + (to - from) * share)
  }

  /** A session has ended, or the ramp has made room for one more. */
  #change(signal: AbortSignal): Promise<void> {
    const roomMs = this.#roomMs()
    return new Promise((resolve) => {
      const timer = roomMs === undefined ? undefined : this.#clock.after(roomMs - this.#clock.now(), () => done())
      const done = () => {
        timer?.cancel()
        this.#wake = undefined
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#wake = done
      signal.addEventListener('abort', done, { once: true })
    })
  }

  /** When a ramp that goes up has room for one more than are in flight now. */
  #roomMs(): number | undefined {
    const { ramp } = this.#plan
    const wanted = this.#inFlight + 1
    if (ramp === null || ramp.to <= ramp.from || wanted > ramp.to) return undefined
    const dueMs = this.#startMs + (ramp.overMs * (wanted - ramp.from)) / (ramp.to - ramp.from)
    // Rounding must not wake us a moment too early, again and again.
    return Math.max(dueMs, this.#clock.now()) + 0.001
  }
}
