import type { ErrorRecord, RequestRecord, RequestState, SessionRecord, SessionState } from './records.ts'
import { scheduleLagMs } from './request-metrics.ts'
import { countsFromMs } from './session-metrics.ts'

/** Where a stretch of time went, in milliseconds. The four add up to the stretch. */
export interface TimeSplit {
  /** Queue + prefill: request sent → first output. All of a request that had none. */
  readonly prefillMs: number
  /** First output → end of the stream. */
  readonly decodeMs: number
  /** Recorded wait, as planned for the run. */
  readonly waitMs: number
  /** The client's own: schedule lag and connecting; of a session that arrived at a rate, also its wait for room. */
  readonly lagMs: number
}

/** One call of a critical path, and the wait and lag before it. */
export interface PathStep extends TimeSplit {
  readonly call: string
  readonly name: string
  readonly model: string
  readonly state: RequestState
}

/** What set the latency of one session. */
export interface SessionBreakdown {
  readonly session: string
  readonly source: string
  readonly state: SessionState
  /**
   * Of a session that succeeded its workflow latency, of a failed one the time from its first call sent to its first
   * failure, of one that was cut off the time until then. Where no call could be sent, from when the first was ready.
   */
  readonly latencyMs: number
  /** Sums over the path; together they are the latency. */
  readonly split: TimeSplit
  /** What of its lag was the client's fault alone: neither connecting nor waiting for room. */
  readonly clientDelayMs: number
  /** The chain of calls that set the latency, first to last. Empty when no request was made or kept. */
  readonly path: readonly PathStep[]
  /** The first failure, with the call it happened in. */
  readonly error: ErrorRecord | null
}

/**
 * The critical path of a session: from the call that ended last, or failed first, back through the predecessor that ended
 * last. Between the end of one call and the start of the next lie the recorded wait and the client's lag, nothing else, so
 * that the steps add up to the latency.
 *
 * @param requests all of the session's, in any order
 */
export function breakDownSession(session: SessionRecord, requests: readonly RequestRecord[]): SessionBreakdown {
  const { id, source, state } = session
  const spans = new Map<string, Span>()
  for (const request of requests) {
    const span = spanOf(request, session)
    if (span !== undefined) spans.set(request.call, span)
  }
  const last = lastSpan(session, [...spans.values()])
  const startMs = countsFromMs(session) ?? last?.request.readyMs ?? session.endMs
  // A session that succeeded ends with its last call; should its record say later, that rest is the client's.
  const endMs = last === undefined || state === 'succeeded' ? session.endMs : last.endMs

  const path: PathStep[] = []
  let restMs = last === undefined ? 0 : endMs - last.endMs
  let clientDelayMs = 0
  for (let span = last; span !== undefined; ) {
    const predecessor = predecessorOf(span, spans)
    clientDelayMs += scheduleLagMs(span.request) ?? 0
    path.push(stepOf(span, predecessor?.endMs ?? startMs, restMs))
    restMs = 0
    // Each call stands on the path once, even if a broken record claims a circle.
    spans.delete(span.request.call)
    span = predecessor
  }
  path.reverse()

  const latencyMs = Math.max(0, endMs - startMs)
  const error = session.error ?? errorOf(last)
  return { session: id, source, state, latencyMs, split: sumSplits(path), clientDelayMs, path, error }
}

/** A request that held the session up: sent, or at least ready to be when the session ended. */
interface Span {
  readonly request: RequestRecord
  readonly sentMs: number
  readonly firstOutputMs: number
  readonly endMs: number
}

function spanOf(request: RequestRecord, session: SessionRecord): Span | undefined {
  if (request.state === 'cancelled' || (request.sentMs === null && request.readyMs === null)) return undefined
  const endMs = request.endMs ?? session.endMs
  const sentMs = Math.min(request.sentMs ?? endMs, endMs)
  return { request, sentMs, endMs, firstOutputMs: clamp(request.firstOutputMs ?? endMs, sentMs, endMs) }
}

function lastSpan(session: SessionRecord, spans: readonly Span[]): Span | undefined {
  const failed = session.state === 'failed' ? spans.filter(({ request }) => request.state === 'failed') : []
  if (failed.length > 0) return failed.reduce((first, span) => (span.endMs < first.endMs ? span : first))
  return spans.reduce<Span | undefined>((last, span) => (last === undefined || span.endMs > last.endMs ? span : last), undefined)
}

function predecessorOf({ request, sentMs }: Span, spans: ReadonlyMap<string, Span>): Span | undefined {
  let latest: Span | undefined
  for (const id of request.after) {
    const span = spans.get(id)
    if (span === undefined || span.request === request || span.endMs > sentMs) continue
    if (latest === undefined || span.endMs > latest.endMs) latest = span
  }
  return latest
}

/** @param fromMs when the way was free: end of the predecessor, or start of the session */
function stepOf({ request, sentMs, firstOutputMs, endMs }: Span, fromMs: number, restMs: number): PathStep {
  const beforeMs = sentMs - fromMs
  const waitMs = clamp(request.waitMs, 0, Math.max(0, beforeMs))
  return {
    call: request.call,
    name: request.name,
    model: request.model,
    state: request.state,
    waitMs,
    lagMs: beforeMs - waitMs + restMs,
    prefillMs: firstOutputMs - sentMs,
    decodeMs: endMs - firstOutputMs,
  }
}

function errorOf(span: Span | undefined): ErrorRecord | null {
  const error = span?.request.error ?? null
  return error === null || span === undefined ? null : { ...error, call: span.request.call }
}

function sumSplits(steps: readonly TimeSplit[]): TimeSplit {
  const sum = { prefillMs: 0, decodeMs: 0, waitMs: 0, lagMs: 0 }
  for (const step of steps) {
    sum.prefillMs += step.prefillMs
    sum.decodeMs += step.decodeMs
    sum.waitMs += step.waitMs
    sum.lagMs += step.lagMs
  }
  return sum
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}
