import { requestsOf } from './compact-record.ts'
import { breakDownSession, type SessionBreakdown } from './critical-path.ts'
import { type CriticalPathSummary, summarizeCriticalPath } from './critical-path-summary.ts'
import { AbsentDistribution, type Distribution, ExactDistribution, type Over } from './distribution.ts'
import { type ErrorGroup, groupErrors } from './error-groups.ts'
import { type Fidelity, fidelity } from './fidelity.ts'
import { type Goodput, type GoodputConstraints, goodput } from './goodput.ts'
import { type Gradable, gradable } from './gradable.ts'
import { interTokenLatency } from './inter-token-latency.ts'
import type { Measured, RequestCounts, SessionCounts } from './measured.ts'
import type { DigestRecord, RequestRecord, RunRecord, SessionRecord, StageRecord } from './records.ts'
import { type RequestList, recordsOf } from './request-list.ts'
import {
  normalizedTimePerOutputTokenMs,
  requestLatencyMs,
  scheduleLagMs,
  timePerOutputTokenMs,
  timeToFirstTokenMs,
} from './request-metrics.ts'
import { type ServerLoad, serverLoad } from './server-load.ts'
import { workflowLatencyMs } from './session-metrics.ts'
import { type Throughput, throughput } from './throughput.ts'

/** What a slice is made of. */
export interface PartOfRun {
  readonly stages: readonly StageRecord[]
  readonly sessions: readonly SessionRecord[]
  readonly requests: RequestList
  /** Inter-token gaps of the requests that succeeded, or why they cannot be had for this part. */
  readonly gaps: readonly DigestRecord[] | { readonly absent: string }
}

/** Sessions and requests of a run, one of its stages or another part of it, and all that can be asked of them. */
export class Slice implements Measured {
  readonly #record: RunRecord
  readonly #part: PartOfRun
  /** Each figure is computed when first asked for, and once: a slice does not change. */
  readonly #computed = new Map<string, unknown>()
  /** Those that hold something of each request. Once nobody holds them they may go; they can be computed again. */
  readonly #bulky = new Map<string, WeakRef<object>>()

  constructor(record: RunRecord, part: PartOfRun) {
    this.#record = record
    this.#part = part
  }

  get sessions(): readonly SessionRecord[] {
    return this.#part.sessions
  }

  get requests(): readonly RequestRecord[] {
    return recordsOf(this.#part.requests)
  }

  /** @internal */
  get requestList(): RequestList {
    return this.#part.requests
  }

  /** Records of the stages it is taken from. */
  get recordedStages(): readonly StageRecord[] {
    return this.#part.stages
  }

  get sessionCounts(): SessionCounts {
    return this.#once('sessionCounts', () => ({
      total: this.#part.sessions.length,
      succeeded: countState(this.#part.sessions, 'succeeded'),
      failed: countState(this.#part.sessions, 'failed'),
      cutOff: countState(this.#part.sessions, 'cut-off'),
    }))
  }

  get requestCounts(): RequestCounts {
    return this.#once('requestCounts', () => ({
      total: this.#part.requests.length,
      succeeded: countState(this.#part.requests, 'succeeded'),
      failed: countState(this.#part.requests, 'failed'),
      cutOff: countState(this.#part.requests, 'cut-off'),
      cancelled: countState(this.#part.requests, 'cancelled'),
    }))
  }

  get sessionSuccessRate(): number | undefined {
    const { total, succeeded } = this.sessionCounts
    return total === 0 ? undefined : succeeded / total
  }

  get workflowLatency(): Distribution {
    return this.#bulk('workflowLatency', () => ranked(this.#part.sessions, workflowLatencyMs))
  }

  get requestLatency(): Distribution {
    return this.#bulk('requestLatency', () => ranked(this.#part.requests, requestLatencyMs))
  }

  get timeToFirstToken(): Distribution {
    return this.#bulk('timeToFirstToken', () => ranked(this.#part.requests, timeToFirstTokenMs))
  }

  get timePerOutputToken(): Distribution {
    return this.#bulk('timePerOutputToken', () => ranked(this.#part.requests, timePerOutputTokenMs))
  }

  get normalizedTimePerOutputToken(): Distribution {
    return this.#bulk('normalizedTimePerOutputToken', () => ranked(this.#part.requests, normalizedTimePerOutputTokenMs))
  }

  get interTokenLatency(): Distribution {
    return this.#once('interTokenLatency', () => {
      const { gaps, requests } = this.#part
      return 'absent' in gaps ? new AbsentDistribution(gaps.absent) : interTokenLatency(gaps, requests)
    })
  }

  get scheduleLag(): Distribution {
    return this.#bulk('scheduleLag', () => new ExactDistribution(this.#part.requests.map(scheduleLagMs).filter(isMeasured)))
  }

  get cachedShare(): number | undefined {
    return this.#once('cachedShare', () => {
      let cached = 0
      let prompt = 0
      for (const { state, cachedInputTokens, inputTokens } of this.#part.requests) {
        if (state !== 'succeeded' || cachedInputTokens === null || inputTokens === null) continue
        cached += cachedInputTokens
        prompt += inputTokens
      }
      return prompt === 0 ? undefined : cached / prompt
    })
  }

  get fidelity(): Fidelity {
    return this.#once('fidelity', () => fidelity(this.#part.requests))
  }

  get throughput(): Throughput {
    return this.#once('throughput', () => throughput(this.#part.sessions, this.#part.requests))
  }

  goodput(constraints: GoodputConstraints, per?: Goodput['of']): Goodput {
    return goodput(this.#part.sessions, this.#part.requests, constraints, per)
  }

  get serverLoad(): ServerLoad | undefined {
    return this.#once('serverLoad', () => serverLoad(this.#record.server?.samples ?? [], this.#part.stages))
  }

  get errors(): readonly ErrorGroup[] {
    return this.#once('errors', () => groupErrors(this.#part.sessions, this.#part.requests))
  }

  get gradable(): Gradable {
    return this.#once('gradable', () => gradable(this.#part, this.#record))
  }

  get breakdowns(): readonly SessionBreakdown[] {
    return this.#bulk('breakdowns', () => this.#part.sessions.map((session) => this.#breakDown(session)))
  }

  criticalPath(quantile?: number): CriticalPathSummary {
    return this.#once(`criticalPath ${quantile}`, () => summarizeCriticalPath(this.breakdowns, quantile))
  }

  worstSessions(count: number, over: Over = 'all'): SessionBreakdown[] {
    const candidates =
      over === 'all' ? this.#part.sessions : this.#part.sessions.filter((session) => session.state === 'succeeded')
    return candidates
      .toSorted(slowestFirst)
      .slice(0, count)
      .map((session) => this.#breakDown(session))
  }

  toJSON() {
    return { sessions: this.sessionCounts, requests: this.requestCounts }
  }

  /** What `console.log` shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): unknown {
    return { [this.constructor.name]: this.toJSON() }
  }

  /** Over all requests of the session, also those that are not part of the slice. */
  #breakDown(session: SessionRecord): SessionBreakdown {
    const bySession = this.#bulk('requestsBySession', () => groupBySession(requestsOf(this.#record)))
    return breakDownSession(session, bySession.get(sessionKey(session.stage, session.id)) ?? [])
  }

  #bulk<Value extends object>(figure: string, compute: () => Value): Value {
    const known = this.#bulky.get(figure)?.deref()
    if (known !== undefined) return known as Value
    const value = compute()
    this.#bulky.set(figure, new WeakRef(value))
    return value
  }

  #once<Value>(figure: string, compute: () => Value): Value {
    if (!this.#computed.has(figure)) this.#computed.set(figure, compute())
    return this.#computed.get(figure) as Value
  }
}

interface Stateful {
  readonly state: string
}

function countState(records: Iterable<Stateful>, state: string): number {
  let count = 0
  for (const record of records) if (record.state === state) count++
  return count
}

/** What succeeded has its value, or none if it carried none; what did not succeed ranks as infinitely slow. */
function ranked<Item extends Stateful>(items: Iterable<Item>, metric: (item: Item) => number | undefined): Distribution {
  const samples: number[] = []
  for (const item of items) {
    const value = item.state === 'succeeded' ? metric(item) : Number.POSITIVE_INFINITY
    if (value !== undefined) samples.push(value)
  }
  return new ExactDistribution(samples)
}

function isMeasured(value: number | undefined): value is number {
  return value !== undefined
}

/** Ids are unique in a run; the stage is part of the key so that a repeated one cannot mix two sessions. */
function sessionKey(stage: number, id: string): string {
  return `${stage} ${id}`
}

function groupBySession(requests: RequestList): Map<string, RequestRecord[]> {
  const groups = new Map<string, RequestRecord[]>()
  for (const request of requests) {
    const key = sessionKey(request.stage, request.session)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [request])
    else group.push(request)
  }
  return groups
}

function slowestFirst(a: SessionRecord, b: SessionRecord): number {
  const failedFirst = Number(a.state === 'succeeded') - Number(b.state === 'succeeded')
  return failedFirst || (workflowLatencyMs(b) ?? 0) - (workflowLatencyMs(a) ?? 0) || (a.id < b.id ? -1 : 1)
}

/** The part of a run that some of its stages are. */
export function stagesOf(record: RunRecord, inPart: (stage: StageRecord) => boolean): PartOfRun {
  const part = record.stages.filter(inPart)
  const indexes = new Set(part.map(({ index }) => index))
  return {
    stages: part,
    sessions: record.sessions.filter(({ stage }) => indexes.has(stage)),
    requests: requestsOf(record).filter(({ stage }) => indexes.has(stage)),
    gaps: part.map(({ interTokenLatency }) => interTokenLatency),
  }
}
