import { setMaxListeners } from 'node:events'
import { type Clock, systemClock, TraceReplayError } from '../../base/index.ts'
import { createEndpoint } from '../../endpoint/index.ts'
import type { ReplayGraph } from '../../graph/index.ts'
import { watchEventLoop } from '../event-loop-delay.ts'
import { LocalHost, type SessionHost } from '../session-host.ts'
import type { SessionRecorder } from '../session-recorder.ts'
import {
  type Fault,
  type FromThread,
  monotonicOffsetMs,
  type ThreadEvent,
  type ThreadPort,
  type ToThread,
} from './thread-protocol.ts'

/**
 * The side of a thread that replays sessions for another one: it has connections of its own, and reports each event in the
 * time of the run's clock. Events of one turn of the event loop travel together.
 *
 * @param onClosed what ends the thread
 */
export function serveSessions(port: ThreadPort<FromThread, ToThread>, onClosed: () => void): void {
  const reports = new Reports(port)
  const stops = new Map<number, AbortController>()
  const recordings = new Map<number, ReplayGraph>()
  const eventLoop = watchEventLoop()
  let host: SessionHost | undefined

  const stopOf = (key: number): AbortController => {
    const known = stops.get(key)
    if (known !== undefined) return known
    const controller = new AbortController()
    setMaxListeners(0, controller.signal)
    stops.set(key, controller)
    return controller
  }

  port.onMessage((message) => {
    switch (message.type) {
      case 'open': {
        const clock = shifted(systemClock, message.clockOffsetMs + monotonicOffsetMs())
        const endpoint = createEndpoint(message.target, { clock, warn: reports.warn })
        host = new LocalHost(clock, endpoint, message.target, message.policy)
        port.postMessage({ type: 'ready' })
        return
      }
      case 'recording':
        recordings.set(message.key, message.graph)
        return
      case 'forget':
        recordings.delete(message.key)
        return
      case 'session': {
        const { key, drawn, recordingKey, order, stopKey } = message
        const graph = recordings.get(recordingKey)
        if (graph === undefined) throw new Error(`Session ${drawn.id} came without its recording.`)
        const onOutcome = (outcome: Parameters<Parameters<SessionHost['replay']>[1]['onOutcome']>[0]) =>
          reports.add({ kind: 'outcome', key, outcome })
        host
          ?.replay(
            { ...drawn, graph },
            { ...order, signal: stopOf(stopKey).signal, onOutcome, recorder: reports.recorderOf(key) },
          )
          .catch((error) => reports.add({ kind: 'session-broke', key, fault: faultOf(error) }))
        return
      }
      case 'stop':
        stopOf(message.stopKey).abort()
        return
      case 'close':
        void Promise.resolve(host?.close()).then(() => {
          reports.flush()
          port.postMessage({ type: 'closed', eventLoopDelayMs: eventLoop.stop() })
          onClosed()
        })
    }
  })
}

/** Collects what happens in one turn of the event loop. */
class Reports {
  readonly #port: ThreadPort<FromThread, ToThread>
  #events: ThreadEvent[] = []

  constructor(port: ThreadPort<FromThread, ToThread>) {
    this.#port = port
  }

  add(event: ThreadEvent): void {
    if (this.#events.push(event) === 1) setImmediate(() => this.flush())
  }

  flush(): void {
    const events = this.#events
    this.#events = []
    if (events.length > 0) this.#port.postMessage({ type: 'events', events })
  }

  readonly warn: SessionRecorder['warn'] = (warning) => this.add({ kind: 'warning', warning })

  recorderOf(key: number): SessionRecorder {
    return {
      warn: this.warn,
      // The run's thread knows: it started the session.
      sessionStarted: () => {},
      requestSent: () => this.add({ kind: 'request-sent', key }),
      requestEnded: (record, outputTimesMs) => this.add({ kind: 'request-ended', key, record, outputTimesMs }),
      sessionEnded: (record) => this.add({ kind: 'session-ended', key, record }),
    }
  }
}

function shifted(clock: Clock, byMs: number): Clock {
  return { now: () => clock.now() + byMs, after: (delayMs, run) => clock.after(delayMs, run) }
}

function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message, stack } = error
  return {
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(error instanceof TraceReplayError ? { code: error.code } : {}),
  }
}
