import type { Warning } from '../base/index.ts'
import {
  type CallCounts,
  Interned,
  isSameJson,
  RequestColumns,
  type RequestList,
  type RequestRecord,
  type SessionRecord,
  type StageRecord,
} from '../metrics/index.ts'
import { GapSketches } from './gap-sketches.ts'
import type { StagePlan } from './options-schema.ts'
import type { Progress } from './progress.ts'

/** Told of each session as it ends, with its requests. */
export type SessionSink = (session: SessionRecord, requests: RequestList) => void

/** Collects what a run measures. Everything that ends up in the record passes through here. */
export class RunRecorder {
  readonly sessions: SessionRecord[] = []
  readonly requestList = new RequestColumns()
  readonly stages: StageRecord[] = []
  readonly #warnings = new Map<string, Warning & { count: number }>()
  readonly #texts = new Interned<string>(Object.is, (text) => text)
  readonly #calls = new Interned<CallCounts>(isSameJson, (calls) => calls)
  readonly #onSession: SessionSink | undefined
  /** Rows of the requests of sessions under way, for the sink. */
  readonly #underWay = new Map<string, number[]>()
  #gaps = new GapSketches()
  #gauges = freshGauges()
  #resumed: StageRecord | undefined

  constructor(onSession?: SessionSink) {
    this.#onSession = onSession
  }

  /** A stage that is run in slices, one after the other, has one record: it goes on where it was. */
  beginStage(index: number): void {
    this.#gauges = freshGauges()
    const earlier = this.stages.at(-1)
    this.#resumed = earlier?.index === index ? this.stages.pop() : undefined
    if (this.#resumed === undefined) this.#gaps = new GapSketches()
  }

  endStage(index: number, plan: StagePlan, startMs: number, endMs: number, neverStarted: number): void {
    const missed = neverStarted + (this.#resumed?.neverStarted ?? 0)
    this.stages.push({
      index,
      warmup: plan.warmup,
      concurrentSessions: Number.isFinite(plan.concurrentSessions) ? plan.concurrentSessions : 0,
      sessionRate: plan.sessionRate,
      asked: {
        sessions: addUp(plan.sessions, this.#resumed?.asked?.sessions),
        durationMs: plan.durationMs,
        ...(plan.arrivals === 'poisson' ? { arrivals: plan.arrivals } : {}),
        ...(plan.ramp === null ? {} : { ramp: plan.ramp }),
      },
      startMs: this.#resumed?.startMs ?? startMs,
      endMs,
      ...(missed === 0 ? {} : { neverStarted: missed }),
      ...this.#gaps.toRecord(),
    })
  }

  sessionStarted(): void {
    this.#gauges.sessionsInFlight++
  }

  sessionEnded(record: SessionRecord): void {
    this.#gauges.sessionsInFlight--
    if (record.state === 'succeeded') this.#gauges.sessionsSucceeded++
    else this.#gauges.sessionsFailed++
    this.sessions.push(this.#kept(record))
    this.#onSession?.(record, this.requestList.rows(this.#underWay.get(record.id) ?? []))
    this.#underWay.delete(record.id)
  }

  /** What many sessions have in common once, also where it comes as a copy, from another thread. */
  #kept(record: SessionRecord): SessionRecord {
    const { recorded, source, calls } = record
    return {
      ...record,
      recorded: this.#texts.shared(recorded, recorded),
      source: this.#texts.shared(source, source),
      calls: this.#calls.shared(calls.succeeded, calls),
    }
  }

  requestSent(): void {
    this.#gauges.requestsInFlight++
  }

  /** `outputTimesMs` of a request that was sent; `null` for one that never was. */
  requestEnded(record: RequestRecord, outputTimesMs: readonly number[] | null): void {
    if (outputTimesMs !== null) this.#gauges.requestsInFlight--
    if (record.state === 'succeeded') {
      this.#gauges.requestsSucceeded++
      this.#gaps.add(record, outputTimesMs ?? [])
    } else if (record.state === 'failed') this.#gauges.requestsFailed++
    const row = this.requestList.add(record)
    if (this.#onSession !== undefined) this.#keepUnderWay(record.session, row)
  }

  #keepUnderWay(session: string, row: number): void {
    const known = this.#underWay.get(session)
    if (known === undefined) this.#underWay.set(session, [row])
    else known.push(row)
  }

  /** Equal warnings are folded and counted. */
  readonly warn = (warning: Warning): void => {
    const key = `${warning.code}\n${warning.where ?? ''}\n${warning.message}`
    const known = this.#warnings.get(key)
    if (known === undefined) this.#warnings.set(key, { ...warning, count: warning.count ?? 1 })
    else known.count += warning.count ?? 1
  }

  get warnings(): Warning[] {
    return [...this.#warnings.values()].map(({ count, ...warning }) => (count === 1 ? warning : { ...warning, count }))
  }

  /** Of all that have ended. */
  get requests(): readonly RequestRecord[] {
    return this.requestList.toArray()
  }

  progress(): Pick<Progress, 'requests'> & { readonly sessions: Omit<Progress['sessions'], 'total'> } {
    const gauges = this.#gauges
    return {
      sessions: { inFlight: gauges.sessionsInFlight, succeeded: gauges.sessionsSucceeded, failed: gauges.sessionsFailed },
      requests: { inFlight: gauges.requestsInFlight, succeeded: gauges.requestsSucceeded, failed: gauges.requestsFailed },
    }
  }
}

function addUp(sessions: number | null, before: number | null = 0): number | null {
  return sessions === null || before === null ? null : sessions + before
}

function freshGauges() {
  return {
    sessionsInFlight: 0,
    sessionsSucceeded: 0,
    sessionsFailed: 0,
    requestsInFlight: 0,
    requestsSucceeded: 0,
    requestsFailed: 0,
  }
}
