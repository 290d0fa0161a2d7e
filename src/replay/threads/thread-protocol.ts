import type { Warning } from '../../base/index.ts'
import type { Target } from '../../endpoint/index.ts'
import type { ReplayGraph } from '../../graph/index.ts'
import type { ClientRecord, RequestRecord, SessionRecord } from '../../metrics/index.ts'
import type { DrawnSession } from '../../workload/index.ts'
import type { RequestOutcome } from '../call-outcome.ts'
import type { CallPolicy } from '../options-schema.ts'
import type { SessionOrder } from '../session-host.ts'

/** What the run's thread tells another one. All of it is plain data. */
export type ToThread =
  | {
      readonly type: 'open'
      readonly target: Target
      readonly policy: CallPolicy
      /** The run's clock less the machine's monotonic one. */
      readonly clockOffsetMs: number
    }
  /** A recorded session, before the first session that replays it. */
  | { readonly type: 'recording'; readonly key: number; readonly graph: ReplayGraph }
  /** No session replays it any more. */
  | { readonly type: 'forget'; readonly key: number }
  | {
      readonly type: 'session'
      readonly key: number
      /** Which stop ends it. */
      readonly stopKey: number
      /** Which recorded session it replays. */
      readonly recordingKey: number
      readonly drawn: Omit<DrawnSession, 'graph'>
      readonly order: Omit<SessionOrder, 'signal' | 'onOutcome' | 'recorder'>
    }
  | { readonly type: 'stop'; readonly stopKey: number }
  | { readonly type: 'close' }

export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'events'; readonly events: readonly ThreadEvent[] }
  | { readonly type: 'closed'; readonly eventLoopDelayMs: ClientRecord['eventLoopDelayMs'] }

/** What happened in a thread; `key` is the session's. */
export type ThreadEvent =
  | { readonly kind: 'request-sent'; readonly key: number }
  | {
      readonly kind: 'request-ended'
      readonly key: number
      readonly record: RequestRecord
      readonly outputTimesMs: readonly number[] | null
    }
  | { readonly kind: 'outcome'; readonly key: number; readonly outcome: RequestOutcome }
  | { readonly kind: 'session-ended'; readonly key: number; readonly record: SessionRecord }
  | { readonly kind: 'session-broke'; readonly key: number; readonly fault: Fault }
  | { readonly kind: 'warning'; readonly warning: Warning }

/** An error on its way between threads: a copy of one loses its class. */
export interface Fault {
  /** Of an error of ours. */
  readonly code?: string
  readonly message: string
  readonly stack?: string
}

/** One end of the line between two threads; a `MessagePort` or a `Worker` is one. */
export interface ThreadPort<Out, In> {
  postMessage(message: Out): void
  onMessage(receive: (message: In) => void): void
}

/** The machine's monotonic clock less this thread's `performance.now()`, which counts from the thread's own start. */
export function monotonicOffsetMs(): number {
  return Number(process.hrtime.bigint()) / 1e6 - performance.now()
}
