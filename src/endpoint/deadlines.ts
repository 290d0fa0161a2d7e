import type { Clock, Timer } from '../base/index.ts'
import type { RequestTimeouts } from './endpoint.ts'

export type TimeoutLabel = 'connect_timeout' | 'first_token_timeout' | 'idle_timeout' | 'call_timeout'

export interface DeadlineOwner {
  /** A limit seems to have passed: `expired()` tells. */
  onDeadline(): void
}

/** A response that has said it is complete gets this long to close; then it is taken as it is. */
const CLOSE_GRACE_MS = 1_000

/**
 * The time limits of one request, on one timer. Reading a chunk only notes its time; what is due is worked out when the
 * timer fires, and the timer is set anew only when a limit comes into force that ends before it.
 *
 * - connect: from the call until the request is sent
 * - first token: from sent until the first output, whatever else arrives (headers, comments, an empty role chunk)
 * - idle: from one read of the body to the next; silence before the first read is the first token's matter
 * - call: from the call until the end
 */
export class Deadlines {
  readonly #clock: Clock
  readonly #timeouts: RequestTimeouts
  readonly #queuedMs: number
  readonly #owner: DeadlineOwner
  #sentMs = Number.NaN
  #lastReadMs = Number.NaN
  #doneMs = Number.NaN
  #hasOutput = false
  #timer: Timer | undefined
  #armedForMs = Number.POSITIVE_INFINITY

  constructor(clock: Clock, timeouts: RequestTimeouts, queuedMs: number, owner: DeadlineOwner) {
    this.#clock = clock
    this.#timeouts = timeouts
    this.#queuedMs = queuedMs
    this.#owner = owner
    this.#arm(Math.min(queuedMs + timeouts.connectMs, queuedMs + timeouts.callMs))
  }

  sent(atMs: number): void {
    this.#sentMs = atMs
    this.#arm(atMs + this.#timeouts.firstTokenMs)
  }

  /** Hot path. */
  read(atMs: number): void {
    const first = Number.isNaN(this.#lastReadMs)
    this.#lastReadMs = atMs
    if (first) this.#arm(atMs + this.#timeouts.idleMs)
  }

  output(): void {
    this.#hasOutput = true
  }

  /** The response is complete but for its close. */
  done(atMs: number): void {
    this.#doneMs = atMs
    this.#arm(atMs + CLOSE_GRACE_MS)
  }

  /** The limit that has passed; `undefined` when none has (any more), and then the timer runs again. */
  expired(): TimeoutLabel | undefined {
    const [label, dueMs] = this.#next()
    if (dueMs <= this.#clock.now()) return label
    this.#arm(dueMs)
    return undefined
  }

  cancel(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#armedForMs = Number.NEGATIVE_INFINITY
  }

  #arm(dueMs: number): void {
    if (dueMs >= this.#armedForMs) return
    this.#timer?.cancel()
    this.#armedForMs = dueMs
    this.#timer = this.#clock.after(Math.max(0, dueMs - this.#clock.now()), () => this.#fire())
  }

  #fire(): void {
    this.#timer = undefined
    this.#armedForMs = Number.POSITIVE_INFINITY
    const [, dueMs] = this.#next()
    if (dueMs <= this.#clock.now()) this.#owner.onDeadline()
    else this.#arm(dueMs)
  }

  /** The limit that ends first, as things stand. */
  #next(): readonly [label: TimeoutLabel, dueMs: number] {
    const { connectMs, firstTokenMs, idleMs, callMs } = this.#timeouts
    let label: TimeoutLabel = 'call_timeout'
    let dueMs = this.#queuedMs + callMs
    const consider = (candidate: TimeoutLabel, candidateMs: number): void => {
      if (candidateMs <= dueMs) {
        label = candidate
        dueMs = candidateMs
      }
    }
    if (!Number.isNaN(this.#lastReadMs)) consider('idle_timeout', this.#lastReadMs + idleMs)
    if (Number.isNaN(this.#sentMs)) consider('connect_timeout', this.#queuedMs + connectMs)
    else if (!this.#hasOutput) consider('first_token_timeout', this.#sentMs + firstTokenMs)
    if (!Number.isNaN(this.#doneMs)) consider('idle_timeout', this.#doneMs + CLOSE_GRACE_MS)
    return [label, dueMs]
  }
}
