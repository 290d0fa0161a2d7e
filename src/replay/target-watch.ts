import { TraceReplayError } from '../base/index.ts'
import type { FailureLabel } from '../endpoint/index.ts'
import type { RequestOutcome } from './call-outcome.ts'

/** Failures that say the target cannot be used at all, when nothing else is ever answered. */
const UNUSABLE: ReadonlySet<FailureLabel> = new Set<FailureLabel>([
  'connect_refused',
  'connect_failed',
  'dns',
  'tls',
  'http_401',
  'http_403',
  'http_404',
])

/**
 * Ends a run early whose target was wrong from the start. Once a single request has succeeded, failures of any kind are
 * what the run is there to measure.
 */
export class TargetWatch {
  readonly #patience: number
  readonly #controller = new AbortController()
  #succeeded = false
  #refusals = 0
  #reason: string | undefined

  /** @param patience refusals in a row, none answered, after which the target counts as unusable */
  constructor(patience: number) {
    this.#patience = patience
  }

  /** Aborts when the target has proved unusable. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  readonly see = (outcome: RequestOutcome): void => {
    if (this.#succeeded || this.#reason !== undefined) return
    if (outcome.ok) this.#succeeded = true
    else if (!UNUSABLE.has(outcome.label)) this.#refusals = 0
    else if (++this.#refusals >= this.#patience) {
      this.#reason = outcome.message
      this.#controller.abort()
    }
  }

  /** @throws {TraceReplayError} `TARGET_UNREACHABLE` */
  throwIfUnusable(): void {
    if (this.#reason === undefined) return
    throw new TraceReplayError('TARGET_UNREACHABLE', `The target cannot be used; no request succeeded. ${this.#reason}`)
  }
}
