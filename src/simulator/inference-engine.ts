import type { Clock, Timer } from '../base/index.ts'
import type { InferenceJob, InferenceModel } from './inference-model.ts'

/** The loop gives way to other work at least this often. */
const LONGEST_TURN_MS = 8

/**
 * Runs an {@link InferenceModel} in real time. However many requests run, there is one timer: for the model's next event.
 * It is set against the time the engine was made, so that late timers delay tokens but never add up.
 */
export class InferenceEngine {
  readonly #model: InferenceModel
  readonly #clock: Clock
  readonly #speed: number
  readonly #originMs: number
  #timer: Timer | undefined
  /** Simulated time the timer is set for. */
  #timerForMs = Number.POSITIVE_INFINITY
  #advancing = false
  #closed = false

  constructor(model: InferenceModel, clock: Clock, speed: number) {
    this.#model = model
    this.#clock = clock
    this.#speed = speed
    this.#originMs = clock.now()
  }

  get queued(): number {
    return this.#model.queued
  }

  get running(): number {
    return this.#model.running
  }

  submit(job: InferenceJob): void {
    if (this.#closed) return
    this.#advance(this.#simulatedMs())
    this.#model.submit(job)
    this.#setTimer()
  }

  cancel(job: InferenceJob): void {
    if (this.#closed) return
    this.#advance(this.#simulatedMs())
    this.#model.cancel(job)
    this.#setTimer()
  }

  /** Nothing happens any more. */
  close(): void {
    this.#closed = true
    this.#timer?.cancel()
  }

  /** At infinite speed simulated time stands still between submissions: whatever is to come is due. */
  #simulatedMs(): number {
    return this.#speed === Number.POSITIVE_INFINITY ? this.#model.nowMs : (this.#clock.now() - this.#originMs) * this.#speed
  }

  #wake(): void {
    this.#timer = undefined
    this.#timerForMs = Number.POSITIVE_INFINITY
    const dueMs = this.#speed === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : this.#simulatedMs()
    this.#advance(dueMs)
    this.#setTimer()
  }

  /** Event by event, as far as one turn allows; the timer comes back for the rest. */
  #advance(dueMs: number): void {
    // A job may be cancelled by its own callback, in the middle of an event.
    if (this.#advancing) return
    this.#advancing = true
    try {
      this.#liveThrough(dueMs)
    } finally {
      this.#advancing = false
    }
  }

  #liveThrough(dueMs: number): void {
    const giveWayMs = this.#clock.now() + LONGEST_TURN_MS
    let nextMs = this.#model.nextEventMs
    while (!this.#closed && nextMs <= dueMs && nextMs !== Number.POSITIVE_INFINITY && this.#clock.now() <= giveWayMs) {
      this.#model.advance(nextMs)
      nextMs = this.#model.nextEventMs
    }
    if (!this.#closed && nextMs > dueMs) this.#model.advance(dueMs)
  }

  #setTimer(): void {
    const nextMs = this.#model.nextEventMs
    if (this.#closed || nextMs === this.#timerForMs) return
    this.#timer?.cancel()
    this.#timerForMs = nextMs
    if (nextMs === Number.POSITIVE_INFINITY) return
    const inMs = this.#speed === Number.POSITIVE_INFINITY ? 0 : (nextMs - this.#simulatedMs()) / this.#speed
    // Timers count whole milliseconds and would round down: woken early, it would have to be set again.
    this.#timer = this.#clock.after(Math.max(0, Math.ceil(inMs)), () => this.#wake())
  }
}
