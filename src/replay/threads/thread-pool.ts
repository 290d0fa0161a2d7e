import { Worker } from 'node:worker_threads'
import { type Clock, type ErrorCode, TraceReplayError, type Warn } from '../../base/index.ts'
import type { Target } from '../../endpoint/index.ts'
import type { ClientRecord } from '../../metrics/index.ts'
import type { DrawnSession } from '../../workload/index.ts'
import type { CallPolicy } from '../options-schema.ts'
import type { EndedSession, SessionHost, SessionOrder } from '../session-host.ts'
import { lostSession } from './lost-session.ts'
import { SentRecordings } from './sent-recordings.ts'
import { type Fault, type FromThread, monotonicOffsetMs, type ThreadEvent, type ToThread } from './thread-protocol.ts'

/** A thread that is told to close has this long to do so. */
const CLOSE_GRACE_MS = 5_000

/** A thread as the pool sees it. */
export interface Thread {
  postMessage(message: ToThread): void
  onMessage(receive: (message: FromThread) => void): void
  /** Ends it at once, whatever it is doing. */
  terminate(): void
  /** Told once when the thread has ended, and why where something broke. */
  onEnd(ended: (error: Error | undefined) => void): void
}

/** Starts a worker thread of Node. */
export function startWorker(): Thread {
  const worker = new Worker(new URL('./thread-entry.js', import.meta.url), {
    // Flags of a test runner are not for us.
    execArgv: [],
  })
  let failure: Error | undefined
  worker.on('error', (error: unknown) => {
    failure = error instanceof Error ? error : new Error(String(error))
  })
  return {
    postMessage: (message) => worker.postMessage(message),
    onMessage: (receive) => worker.on('message', receive),
    terminate: () => void worker.terminate(),
    onEnd: (ended) => worker.on('exit', () => ended(failure)),
  }
}

/** A session on a thread, as far as the run's thread knows. */
interface Remote {
  readonly drawn: DrawnSession
  readonly order: SessionOrder
  readonly reported: Set<string>
  readonly end: (record: EndedSession) => void
  readonly fail: (error: unknown) => void
  firstSentMs: number | null
  succeeded: number
  inFlight: number
}

interface Member {
  readonly thread: Thread
  readonly remotes: Map<number, Remote>
  readonly recordings: SentRecordings
  isReady: boolean
  /** Rejects when the thread ends before it is ready. */
  readonly opened: Promise<void>
  /** Resolves when the thread is gone. */
  readonly ended: Promise<ClientRecord['eventLoopDelayMs'] | undefined>
}

/**
 * Replays sessions on several threads, each with connections of its own. This thread alone decides when which session
 * starts, so limits, rates and the order of the workload hold as exactly as on one thread. A thread that crashes fails the
 * sessions it had; another takes its place.
 */
export class ThreadPool implements SessionHost {
  readonly #members: Member[] = []
  readonly #size: number
  readonly #start: () => Thread
  readonly #clock: Clock
  readonly #opening: ToThread
  readonly #warn: Warn
  readonly #stops = new Map<AbortSignal, number>()
  #keys = 0
  #closed = false

  constructor(
    size: number,
    run: { readonly clock: Clock; readonly target: Target; readonly policy: CallPolicy; readonly warn: Warn },
    start: () => Thread = startWorker,
  ) {
    this.#size = size
    this.#start = start
    this.#clock = run.clock
    this.#warn = run.warn
    const { target, policy } = run
    this.#opening = { type: 'open', target, policy, clockOffsetMs: -monotonicOffsetMs() }
  }

  /** Starts all threads, which takes long enough to spoil what is measured meanwhile. */
  async open(): Promise<void> {
    while (this.#members.length < this.#size) this.#startOne()
    await Promise.all(this.#members.map(({ opened }) => opened))
  }

  replay(drawn: DrawnSession, order: SessionOrder): Promise<EndedSession> {
    const { signal, onOutcome: _stays, recorder: _staysToo, ...plain } = order
    const member = this.#leastBusy()
    const key = ++this.#keys
    order.recorder.sessionStarted()
    const { graph, ...named } = drawn
    return new Promise<EndedSession>((end, fail) => {
      member.remotes.set(key, { drawn, order, reported: new Set(), end, fail, firstSentMs: null, succeeded: 0, inFlight: 0 })
      const recordingKey = member.recordings.take(graph)
      member.thread.postMessage({
        type: 'session',
        key,
        stopKey: this.#stopKeyOf(signal),
        recordingKey,
        drawn: named,
        order: plain,
      })
      if (signal.aborted) member.thread.postMessage({ type: 'stop', stopKey: this.#stopKeyOf(signal) })
    }).finally(() => {
      member.remotes.delete(key)
      member.recordings.release(graph)
    })
  }

  async close(): Promise<readonly ClientRecord['eventLoopDelayMs'][]> {
    this.#closed = true
    for (const { thread } of this.#members) thread.postMessage({ type: 'close' })
    // One that is stuck must not keep the run from ending.
    const grace = this.#clock.after(CLOSE_GRACE_MS, () => {
      for (const { thread } of this.#members) thread.terminate()
    })
    const delays = await Promise.all(this.#members.map(({ ended }) => ended))
    grace.cancel()
    return delays.filter((delay) => delay !== undefined)
  }

  #leastBusy(): Member {
    const [first, ...others] = this.#members
    if (first === undefined || this.#members.length < this.#size) return this.#startOne()
    return others.reduce((least, member) => (member.remotes.size < least.remotes.size ? member : least), first)
  }

  #startOne(): Member {
    const thread = this.#start()
    let eventLoopDelayMs: ClientRecord['eventLoopDelayMs'] | undefined
    let gone: (delay: ClientRecord['eventLoopDelayMs'] | undefined) => void = () => {}
    const ended = new Promise<ClientRecord['eventLoopDelayMs'] | undefined>((resolve) => {
      gone = resolve
    })
    let ready: () => void = () => {}
    let failed: (error: Error) => void = () => {}
    const opened = new Promise<void>((resolve, reject) => {
      ready = resolve
      failed = reject
    })
    // Nobody may be waiting for it: sessions that it was given tell of it, too.
    opened.catch(() => {})
    const recordings = new SentRecordings((message) => thread.postMessage(message))
    const member: Member = { thread, remotes: new Map(), recordings, isReady: false, opened, ended }
    thread.onMessage((message) => {
      if (message.type === 'ready') {
        member.isReady = true
        ready()
      } else if (message.type === 'closed') eventLoopDelayMs = message.eventLoopDelayMs
      else for (const event of message.events) this.#take(event, member)
    })
    thread.onEnd((error) => {
      failed(notStarted(error))
      if (!this.#closed || member.remotes.size > 0) this.#lose(member, error)
      gone(eventLoopDelayMs)
    })
    thread.postMessage(this.#opening)
    this.#members.push(member)
    return member
  }

  /** One key for each signal, with one listener: a stage's signal is shared by all its sessions. */
  #stopKeyOf(signal: AbortSignal): number {
    const known = this.#stops.get(signal)
    if (known !== undefined) return known
    const stopKey = this.#stops.size
    this.#stops.set(signal, stopKey)
    const stop = () => {
      for (const { thread } of this.#members) thread.postMessage({ type: 'stop', stopKey })
    }
    signal.addEventListener('abort', stop, { once: true })
    return stopKey
  }

  #take(event: ThreadEvent, member: Member): void {
    if (event.kind === 'warning') {
      this.#warn(event.warning)
      return
    }
    const remote = member.remotes.get(event.key)
    if (remote === undefined) return
    const { recorder, onOutcome } = remote.order
    switch (event.kind) {
      case 'request-sent':
        remote.inFlight++
        recorder.requestSent()
        break
      case 'request-ended': {
        const { record, outputTimesMs } = event
        remote.reported.add(record.call)
        if (outputTimesMs !== null) remote.inFlight--
        if (record.state === 'succeeded') remote.succeeded++
        if (record.sentMs !== null) remote.firstSentMs = Math.min(remote.firstSentMs ?? record.sentMs, record.sentMs)
        recorder.requestEnded(record, outputTimesMs)
        break
      }
      case 'outcome':
        onOutcome(event.outcome)
        break
      case 'session-ended':
        recorder.sessionEnded(event.record)
        remote.end(event.record)
        break
      case 'session-broke':
        remote.fail(errorOf(event.fault))
    }
  }

  /** The thread is gone, and with it what it had in flight. */
  #lose(member: Member, error: Error | undefined): void {
    this.#members.splice(this.#members.indexOf(member), 1)
    const why = whyOf(error)
    const remotes = [...member.remotes.values()]
    if (!member.isReady) {
      // Another one would fare no better.
      for (const { fail } of remotes) fail(notStarted(error))
      return
    }
    this.#warn({
      code: 'client-thread-crashed',
      message: `A thread of the load client crashed (${why}); the ${remotes.length} sessions it had in flight count as failed.`,
    })
    for (const remote of remotes) {
      const { requests, session } = lostSession({ ...remote, nowMs: this.#clock.now(), why })
      for (const { record, wasInFlight } of requests) remote.order.recorder.requestEnded(record, wasInFlight ? [] : null)
      remote.order.recorder.sessionEnded(session)
      remote.end(session)
    }
  }
}

function whyOf(error: Error | undefined): string {
  return error?.message ?? 'it ended without a word'
}

function notStarted(cause: Error | undefined): Error {
  return new Error(`a thread of the load client could not start: ${whyOf(cause)}`, { cause })
}

function errorOf({ code, message, stack }: Fault): Error {
  const error = code === undefined ? new Error(message) : new TraceReplayError(code as ErrorCode, message)
  if (stack !== undefined) error.stack = stack
  return error
}
