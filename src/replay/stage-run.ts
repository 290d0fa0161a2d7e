import type { Clock } from '../base/index.ts'
import type { Corpus, DrawnSession } from '../workload/index.ts'
import { arrivals } from './arrivals.ts'
import type { StagePlan } from './options-schema.ts'
import type { EndedSession, SessionStart } from './session-host.ts'
import { SessionSlots } from './session-slots.ts'

/** What a stage needs from the run it is part of. */
export interface StageContext {
  readonly clock: Clock
  readonly corpus: Corpus
  /** Of the stage: sets its random arrivals apart from those of other stages. */
  readonly seed: number
  /** Ends the stage at once. */
  readonly signal: AbortSignal
  /** Replays one session; resolves when it has ended. */
  readonly replaySession: (session: DrawnSession, start: SessionStart) => Promise<EndedSession>
}

export interface StageOutcome {
  /** Sessions that were asked for and never started, because the stage had ended; at least as many, of a workload that was not read to its end. */
  readonly neverStarted: number
}

/** Sessions are read ahead of their start, so that parsing a trace does not delay one: so many, or all that start at once. */
const READ_AHEAD_SESSIONS = 64
/**
 * A session that could not reach the server keeps its room this long in a stage that only its time ends. Otherwise a server
 * that is down would be tried, and failed sessions recorded, by the thousand a second until then.
 */
const UNREACHED_PAUSE_MS = 1_000

/**
 * Keeps up to `concurrentSessions` sessions in flight, or lets `sessionRate` a second arrive as long as there is room, in
 * corpus order, until the stage's sessions or its time are used up. Returns when the last session has ended.
 */
export async function runStage(plan: StagePlan, context: StageContext): Promise<StageOutcome> {
  const { clock, signal } = context
  const source = new SessionSource(plan, context.corpus, signal)
  await source.readAhead()
  const startMs = clock.now()
  const endMs = plan.durationMs === null ? Number.POSITIVE_INFINITY : startMs + plan.durationMs
  const slots = new SessionSlots(plan, clock)
  const offsetsMs = plan.sessionRate === null ? undefined : arrivals(plan.sessionRate, plan.arrivals, context.seed)
  const pauseMs = plan.durationMs !== null && plan.sessions === null && plan.sessionRate === null ? UNREACHED_PAUSE_MS : 0
  const inFlight = new Set<Promise<unknown>>()
  let failure: { readonly error: unknown } | undefined
  let started = 0

  for (;;) {
    await slots.free(signal)
    const roomMs = clock.now()
    const arrivalMs = offsetsMs === undefined ? roomMs : startMs + offsetsMs.next().value
    if (arrivalMs >= endMs) break
    await until(arrivalMs, clock, signal)
    if (signal.aborted || failure !== undefined || clock.now() >= endMs) break
    const session = await source.next()
    if (session === undefined || signal.aborted) break
    slots.take()
    started++
    const running = context
      .replaySession(session, { intendedMs: arrivalMs, dueMs: Math.max(arrivalMs, roomMs) })
      .then(({ startMs: sentMs }) => (sentMs === null ? until(Math.min(clock.now() + pauseMs, endMs), clock, signal) : undefined))
      .catch((error) => {
        failure ??= { error }
      })
      .finally(() => {
        inFlight.delete(running)
        slots.give()
      })
    inFlight.add(running)
  }
  await Promise.all(inFlight)
  const neverStarted = await missed()
  source.close()
  if (failure !== undefined) throw failure.error
  return { neverStarted }

  async function missed(): Promise<number> {
    if (plan.durationMs !== null) return 0
    if (plan.sessions !== null) return plan.sessions - started
    return signal.aborted ? await source.left() : 0
  }
}

/** The stage's slice of the corpus. */
class SessionSource {
  readonly #plan: StagePlan
  readonly #corpus: Corpus
  readonly #signal: AbortSignal
  readonly #ready: DrawnSession[] = []
  #drawn = 0
  #ended = false

  constructor(plan: StagePlan, corpus: Corpus, signal: AbortSignal) {
    this.#plan = plan
    this.#corpus = corpus
    this.#signal = signal
  }

  async readAhead(): Promise<void> {
    const wanted = Math.max(READ_AHEAD_SESSIONS, this.#firstWave())
    while (!this.#ended && !this.#signal.aborted && this.#ready.length < wanted) {
      const session = await this.#draw()
      if (session !== undefined) this.#ready.push(session)
    }
  }

  /** How many start at once. Without end where there is no limit: what can be drawn has one. */
  #firstWave(): number {
    const { concurrentSessions, sessionRate, sessions, durationMs } = this.#plan
    const endless = concurrentSessions === Number.POSITIVE_INFINITY && sessions === null && durationMs !== null
    return sessionRate !== null || endless ? 0 : concurrentSessions
  }

  async next(): Promise<DrawnSession | undefined> {
    return this.#ready.shift() ?? (await this.#draw())
  }

  /** How many are left of the pass; where it has not been read to its end, no more than that. */
  async left(): Promise<number> {
    if (this.#ready.length === 0) {
      const session = await this.#draw()
      if (session !== undefined) this.#ready.push(session)
    }
    return this.#ready.length + (this.#ended ? 0 : (this.#corpus.leftInPass ?? 0))
  }

  close(): void {
    this.#corpus.putBack(this.#ready.splice(0))
  }

  async #draw(): Promise<DrawnSession | undefined> {
    const { sessions, durationMs } = this.#plan
    if (this.#ended || this.#drawn === sessions) {
      this.#ended = true
      return undefined
    }
    // Without a number of its own a stage takes what is left of the pass, and a whole one when nothing is.
    const repeat = sessions !== null || durationMs !== null || this.#drawn === 0
    const session = await this.#corpus.draw({ repeat }).catch((error) => {
      // Whatever reads the sessions gives up at the abort, too, and says so. What was measured is to be had all the same.
      if (!this.#signal.aborted) throw error
      return undefined
    })
    if (session === undefined) this.#ended = true
    else this.#drawn++
    return session
  }
}

function until(timeMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const delayMs = timeMs - clock.now()
  if (delayMs <= 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = clock.after(delayMs, () => done())
    const done = () => {
      timer.cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done, { once: true })
  })
}
