import {
  compactRecord,
  type RequestList,
  Run,
  type RunRecord,
  requestsOf,
  restOf,
  type SessionRecord,
} from '../../metrics/index.ts'
import { isSurelyBroken, type Trial } from '../../stats/index.ts'
import { type MeasuredTarget, measure } from '../measurement.ts'
import type { ReplayPlan, StagePlan } from '../options-schema.ts'
import type { SloLimit } from './slo.ts'

/** Sessions that start before the measured ones, for each that is in flight: the first ones start all at once. */
const RAMP_UP = 2
/** A level whose sessions take this many times longer than its limit allows is over. */
const PATIENCE = 3

export interface LevelPlan {
  readonly concurrentSessions: number
  /** How many are measured. */
  readonly sessions: number
  readonly limits: readonly SloLimit[]
  /** Ends the measurement, which then counts for nothing. */
  readonly signal: AbortSignal
}

/** One measurement at one number of sessions. */
export interface LevelMeasurement {
  readonly trials: readonly Trial[]
  /** The measured sessions alone. */
  readonly run: Run
  readonly cutShort: boolean
  readonly windowMs: number
  /** Work of all sessions that ended within the window. */
  readonly ended: { readonly sessions: number; readonly requests: number; readonly outputTokens: number | null }
}

/**
 * Measures sessions while so many are in flight throughout: first come those that bring the load up, then the measured
 * ones, and others keep the load up until the last of these has ended; those that are then in flight are cut off and
 * forgotten. Without them the longest sessions would end alone on an idle server.
 *
 * Ends early when so many sessions have broken a limit that those still to come cannot mend it.
 *
 * @returns `undefined` when the signal ended it
 */
export async function measureLevel(
  plan: Omit<ReplayPlan, 'stages'>,
  { concurrentSessions, sessions, limits, signal }: LevelPlan,
  target: MeasuredTarget,
): Promise<LevelMeasurement | undefined> {
  const window = new Window(RAMP_UP * concurrentSessions, sessions, limits)
  const ending = new AbortController()
  window.onDecided = () => ending.abort('measured')
  const stage: StagePlan = {
    concurrentSessions,
    ramp: null,
    sessions: null,
    sessionRate: null,
    arrivals: 'fixed',
    durationMs: Number.MAX_SAFE_INTEGER,
    timeoutMs: longest(concurrentSessions, sessions, limits),
    warmup: false,
  }
  const record = await measure({ ...plan, stages: [stage], signal: AbortSignal.any([signal, ending.signal]) }, target, window)
  if (signal.aborted) return undefined
  return window.summarize(record)
}

/** If every session took as long as it may, each slot would be through by then. */
function longest(concurrentSessions: number, sessions: number, limits: readonly SloLimit[]): number | null {
  const allowedMs = limits.flatMap((limit) => (limit.of === 'sessions' && limit.latencyMs !== undefined ? [limit.latencyMs] : []))
  const waves = RAMP_UP + sessions / concurrentSessions + 1
  return allowedMs.length === 0 ? null : Math.ceil(PATIENCE * waves * Math.max(...allowedMs))
}

/** Tells the measured sessions from the others, by their place in the order of starts, and when enough is known of them. */
class Window {
  readonly #from: number
  readonly #sessions: number
  readonly #limits: readonly SloLimit[]
  readonly #measured = new Set<string>()
  readonly #broken: number[]
  #started = 0
  #ended = 0
  onDecided: () => void = () => {}

  constructor(from: number, sessions: number, limits: readonly SloLimit[]) {
    this.#from = from
    this.#sessions = sessions
    this.#limits = limits
    this.#broken = limits.map(() => 0)
  }

  started(id: string): void {
    const index = this.#started++
    if (index >= this.#from && index < this.#from + this.#sessions) this.#measured.add(id)
  }

  ended(session: SessionRecord): void {
    if (!this.#measured.has(session.id) || session.state === 'cut-off') return
    this.#ended++
    for (const [index, limit] of this.#limits.entries()) {
      if (limit.of === 'sessions' && limit.isBroken(session)) this.#broken[index] = (this.#broken[index] ?? 0) + 1
    }
    if (this.#isLost() || this.#ended === this.#sessions) this.onDecided()
  }

  summarize(record: RunRecord): LevelMeasurement {
    const own = record.sessions.filter(({ id }) => this.#measured.has(id))
    const finished = own.filter(({ state }) => state !== 'cut-off')
    const ids = new Set(finished.map(({ id }) => id))
    const requests = requestsOf(record).filter(({ session }) => ids.has(session))
    const fromMs = Math.min(...own.map(({ intendedMs }) => intendedMs), record.durationMs)
    const windowMs = Math.max(1, record.durationMs - fromMs)
    const { aborted: _, ...rest } = restOf(record)
    return {
      trials: this.#limits.map((limit) => this.#trial(limit, finished, requests)),
      run: new Run(compactRecord({ ...rest, stages: rest.stages.map(withoutNeverStarted), sessions: finished }, requests)),
      cutShort: finished.length < this.#sessions,
      windowMs,
      ended: endedSince(record, fromMs),
    }
  }

  /** Sessions that were cut off, or never came, because the level had taken too long, broke what they were held to. */
  #trial(limit: SloLimit, finished: readonly SessionRecord[], requests: RequestList): Trial {
    const { text, tolerated } = limit
    if (limit.of === 'requests') {
      const outcomes = requests.map((request) => limit.isBroken(request)).filter((outcome) => outcome !== undefined)
      const broken = outcomes.filter((isBroken) => isBroken).length
      return { limit: text, tolerated, samples: outcomes.length, broken }
    }
    const broken = finished.filter((session) => limit.isBroken(session)).length
    // What one limit ended says of the others what had been seen until then.
    if (this.#isLost())
      return { limit: text, tolerated, samples: isLost(limit, broken, this.#sessions) ? this.#sessions : finished.length, broken }
    return { limit: text, tolerated, samples: this.#sessions, broken: broken + this.#sessions - finished.length }
  }

  #isLost(): boolean {
    return this.#limits.some((limit, index) => isLost(limit, this.#broken[index] ?? 0, this.#sessions))
  }
}

/** Whatever the sessions still to come do, the limit is surely broken. */
function isLost({ tolerated }: SloLimit, broken: number, samples: number): boolean {
  return broken > 0 && isSurelyBroken({ samples, broken, tolerated })
}

function withoutNeverStarted<Stage extends object>(stage: Stage): Stage {
  return { ...stage, neverStarted: 0 }
}

function endedSince(record: RunRecord, fromMs: number): LevelMeasurement['ended'] {
  const done = requestsOf(record).filter(({ state, endMs }) => state === 'succeeded' && endMs !== null && endMs >= fromMs)
  const counted = done.filter(({ outputTokens }) => outputTokens !== null)
  return {
    sessions: record.sessions.filter(({ state, endMs }) => state === 'succeeded' && endMs >= fromMs).length,
    requests: done.length,
    outputTokens: counted.length === 0 ? null : counted.reduce((sum, { outputTokens }) => sum + (outputTokens ?? 0), 0),
  }
}
