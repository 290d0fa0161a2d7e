import { breakDownSession, type SessionBreakdown } from './critical-path.ts'
import { type Distribution, ExactDistribution, type Over } from './distribution.ts'
import { type ErrorGroup, groupErrors } from './error-groups.ts'
import { type Gradable, gradable } from './gradable.ts'
import { interTokenLatency } from './inter-token-latency.ts'
import type { Measured, RequestCounts, SessionCounts } from './measured.ts'
import type { DigestRecord, RequestRecord, RunRecord, SessionRecord } from './records.ts'
import {
  normalizedTimePerOutputTokenMs,
  requestLatencyMs,
  scheduleLagMs,
  timePerOutputTokenMs,
  timeToFirstTokenMs,
} from './request-metrics.ts'
import { workflowLatencyMs } from './session-metrics.ts'
import { type Throughput, throughput } from './throughput.ts'

/** Sessions and requests of a run, one of its stages or another part of it, and all that can be asked of them. */
export class Slice implements Measured {
  readonly #record: RunRecord
  readonly #sessions: readonly SessionRecord[]
  readonly #requests: readonly RequestRecord[]
  readonly #digests: readonly DigestRecord[]
  /** Each figure is computed when first asked for, and once: a slice does not change. */
  readonly #computed = new Map<string, unknown>()

  /** @param inStage which stages, by index, belong to the slice */
  constructor(record: RunRecord, inStage: (stage: number) => boolean) {
    this.#record = record
    this.#sessions = record.sessions.filter((session) => inStage(session.stage))
    this.#requests = record.requests.filter((request) => inStage(request.stage))
    this.#digests = record.stages.filter((stage) => inStage(stage.index)).map((stage) => stage.interTokenLatency)
  }

  get sessions(): readonly SessionRecord[] {
    return this.#sessions
  }

  get requests(): readonly RequestRecord[] {
    return this.#requests
  }

  get sessionCounts(): SessionCounts {
    return this.#once('sessionCounts', () => ({
      total: this.#sessions.length,
      succeeded: countState(this.#sessions, 'succeeded'),
      failed: countState(this.#sessions, 'failed'),
      cutOff: countState(this.#sessions, 'cut-off'),
    }))
  }

  get requestCounts(): RequestCounts {
    return this.#once('requestCounts', () => ({
      total: this.#requests.length,
      succeeded: countState(this.#requests, 'succeeded'),
      failed: countState(this.#requests, 'failed'),
      cutOff: countState(this.#requests, 'cut-off'),
      cancelled: countState(this.#requests, 'cancelled'),
    }))
  }

  get sessionSuccessRate(): number | undefined {
    const { total, succeeded } = this.sessionCounts
    return total === 0 ? undefined : succeeded / total
  }

  get workflowLatency(): Distribution {
    return this.#once('workflowLatency', () => ranked(this.#sessions, workflowLatencyMs))
  }

  get requestLatency(): Distribution {
    return this.#once('requestLatency', () => ranked(this.#requests, requestLatencyMs))
  }

  get timeToFirstToken(): Distribution {
    return this.#once('timeToFirstToken', () => ranked(this.#requests, timeToFirstTokenMs))
  }

  get timePerOutputToken(): Distribution {
    return this.#once('timePerOutputToken', () => ranked(this.#requests, timePerOutputTokenMs))
  }

  get normalizedTimePerOutputToken(): Distribution {
    return this.#once('normalizedTimePerOutputToken', () => ranked(this.#requests, normalizedTimePerOutputTokenMs))
  }

  get interTokenLatency(): Distribution {
    return this.#once('interTokenLatency', () => interTokenLatency(this.#digests, this.#requests))
  }

  get scheduleLag(): Distribution {
    return this.#once('scheduleLag', () => new ExactDistribution(this.#requests.map(scheduleLagMs).filter(isMeasured)))
  }

  get cachedShare(): number | undefined {
    return this.#once('cachedShare', () => {
      let cached = 0
      let prompt = 0
      for (const { state, cachedInputTokens, inputTokens } of this.#requests) {
        if (state !== 'succeeded' || cachedInputTokens === null || inputTokens === null) continue
        cached += cachedInputTokens
        prompt += inputTokens
      }
      return prompt === 0 ? undefined : cached / prompt
    })
  }

  get throughput(): Throughput {
    return this.#once('throughput', () => throughput(this.#sessions, this.#requests))
  }

  get errors(): readonly ErrorGroup[] {
    return this.#once('errors', () => groupErrors(this.#sessions, this.#requests))
  }

  get gradable(): Gradable {
    return this.#once('gradable', () => gradable(this, this.#record))
  }

  worstSessions(count: number, over: Over = 'all'): SessionBreakdown[] {
    const candidates = over === 'all' ? this.#sessions : this.#sessions.filter((session) => session.state === 'succeeded')
    const bySession = this.#once('requestsBySession', () => groupBySession(this.#requests))
    return candidates
      .toSorted(slowestFirst)
      .slice(0, count)
      .map((session) => breakDownSession(session, bySession.get(sessionKey(session.stage, session.id)) ?? []))
  }

  toJSON() {
    return { sessions: this.sessionCounts, requests: this.requestCounts }
  }

  /** What `console.log` shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): unknown {
    return { [this.constructor.name]: this.toJSON() }
  }

  #once<Value>(figure: string, compute: () => Value): Value {
    if (!this.#computed.has(figure)) this.#computed.set(figure, compute())
    return this.#computed.get(figure) as Value
  }
}

interface Stateful {
  readonly state: string
}

function countState(records: readonly Stateful[], state: string): number {
  return records.reduce((count, record) => (record.state === state ? count + 1 : count), 0)
}

/** What succeeded has its value, or none if it carried none; what did not succeed ranks as infinitely slow. */
function ranked<Item extends Stateful>(items: readonly Item[], metric: (item: Item) => number | undefined): Distribution {
  return new ExactDistribution(
    items.map((item) => (item.state === 'succeeded' ? metric(item) : Number.POSITIVE_INFINITY)).filter(isMeasured),
  )
}

function isMeasured(value: number | undefined): value is number {
  return value !== undefined
}

/** Ids are unique in a run; the stage is part of the key so that a repeated one cannot mix two sessions. */
function sessionKey(stage: number, id: string): string {
  return `${stage} ${id}`
}

function groupBySession(requests: readonly RequestRecord[]): Map<string, RequestRecord[]> {
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
