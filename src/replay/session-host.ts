import type { Clock } from '../base/index.ts'
import type { Endpoint, Target } from '../endpoint/index.ts'
import type { ClientRecord, SessionRecord } from '../metrics/index.ts'
import type { DrawnSession } from '../workload/index.ts'
import type { RequestOutcome } from './call-outcome.ts'
import { type ModelRules, modelRule } from './model-rule.ts'
import type { CallPolicy } from './options-schema.ts'
import type { HeaderRules } from './session-headers.ts'
import type { SessionRecorder } from './session-recorder.ts'
import { type SessionContext, SessionRun } from './session-run.ts'

/** When a session is to start, in the clock's readings. */
export interface SessionStart {
  /** When it arrived, whether there was room for it or not. */
  readonly intendedMs: number
  /** When it had arrived and there was room: a delay from then on is the client's own. */
  readonly dueMs: number
}

/** How one session is to be replayed. */
export interface SessionOrder extends SessionStart {
  readonly stage: number
  /** Sessions arrive at a rate: latency counts from the arrival. */
  readonly openLoop: boolean
  /** The clock's reading that records count from. */
  readonly originMs: number
  /** Ends the session: what is in flight is aborted, the rest never starts. */
  readonly signal: AbortSignal
  /** Takes what comes of it. */
  readonly recorder: SessionRecorder
  /** Told of each failed and succeeded request as it ends. */
  readonly onOutcome: (outcome: RequestOutcome) => void
}

/** What is told of a session besides its record. */
export type EndedSession = Pick<SessionRecord, 'startMs'>

/** Where sessions are replayed: on this thread, or on others. */
export interface SessionHost {
  /** Gets ready, so that no session has to wait for it. */
  open?(): Promise<void>
  /** Resolves when the session has ended; what came of it goes to the recorder. Rejects only on a fault of our own. */
  replay(drawn: DrawnSession, order: SessionOrder): Promise<EndedSession>
  /** Closes every socket. @returns the event-loop delay of each further thread */
  close(): Promise<readonly ClientRecord['eventLoopDelayMs'][]>
}

/** What a host needs to know of the target. */
export type HostTarget = Pick<Target, 'timeouts'> & ModelRules & HeaderRules

/** This thread. */
export class LocalHost implements SessionHost {
  readonly #context: SessionContext
  readonly #endpoint: Endpoint

  constructor(clock: Clock, endpoint: Endpoint, target: HostTarget, policy: CallPolicy) {
    this.#endpoint = endpoint
    this.#context = { clock, endpoint, timeouts: target.timeouts, policy, modelFor: modelRule(target), headerRules: target }
  }

  replay(drawn: DrawnSession, order: SessionOrder): Promise<EndedSession> {
    return new SessionRun(drawn, order, this.#context).run()
  }

  async close(): Promise<readonly []> {
    await this.#endpoint.close()
    return []
  }
}
