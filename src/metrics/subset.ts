import { inspect } from 'node:util'
import { nearest, TraceReplayError } from '../base/index.ts'
import type { Gradable } from './gradable.ts'
import type { DigestRecord, RequestRecord, SessionRecord, StageRecord } from './records.ts'
import type { Run } from './run.ts'
import { type PartOfRun, Slice } from './slice.ts'

/** Which part of a run; all given conditions must hold. Text stands for the whole of a name. */
export interface SubsetFilter {
  /** Requests that asked for this model. */
  readonly model?: string | RegExp
  /** Requests of calls with this name, the recorded span's, or of the agent with this name. */
  readonly label?: string | RegExp
  /** Sessions with this id (a repetition is `x#2`), or that the function takes. */
  readonly session?: string | RegExp | ((session: SessionRecord) => boolean)
}

/**
 * The requests of a run, or of a stage, that a filter lets through, and the sessions that made them. Figures of requests are
 * over those requests alone, figures of sessions (success rate, workflow latency) over whole sessions.
 *
 * Inter-token gaps are kept per model, name and agent, not per session: under a `session` filter there are none.
 */
export class Subset extends Slice {
  readonly #run: Run
  readonly #filter: SubsetFilter
  readonly #stage: { readonly index: number } | undefined

  constructor(run: Run, whole: Slice, filter: SubsetFilter, stage?: { readonly index: number }) {
    checkFilter(filter)
    super(run.record, partOf(whole, filter))
    this.#run = run
    this.#filter = filter
    this.#stage = stage
  }

  /** The run it is a part of. */
  get run(): Run {
    return this.#run
  }

  get filter(): SubsetFilter {
    return this.#filter
  }

  /** Index of the stage it is a part of; `undefined` for a part of the whole run. */
  get stage(): number | undefined {
    return this.#stage?.index
  }

  override get gradable(): Gradable {
    return this.#run.sessions.length > 0 && this.requests.length === 0
      ? { ok: false, reason: nothingMatches(this.#filter, this.#run.requests) }
      : super.gradable
  }

  override toJSON() {
    return { where: describeFilter(this.#filter), ...super.toJSON() }
  }
}

/** A filter as one would write it: `{ model: 'm', label: /plan/ }`. */
export function describeFilter(filter: SubsetFilter): string {
  const parts = Object.entries(filter).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [`${name}: ${typeof value === 'function' ? '…' : inspect(value)}`]
  })
  return `{ ${parts.join(', ')} }`
}

function partOf(whole: Slice, filter: SubsetFilter): PartOfRun {
  const { sessions, requests, recordedStages: stages } = whole
  const wanted = new Set(sessions.filter((session) => matchesSession(filter.session, session)).map(sessionKey))
  const matching = requests.filter((request) => wanted.has(`${request.stage} ${request.session}`) && matchesCall(filter, request))
  const involved = new Set(matching.map((request) => `${request.stage} ${request.session}`))
  return {
    stages,
    sessions: sessions.filter((session) => involved.has(sessionKey(session))),
    requests: matching,
    gaps:
      filter.session === undefined
        ? gapsOf(stages, filter)
        : { absent: 'gaps between tokens are kept per model and label, not per session' },
  }
}

function gapsOf(stages: readonly StageRecord[], filter: SubsetFilter): PartOfRun['gaps'] {
  const digests: DigestRecord[] = []
  for (const { interTokenLatency, interTokenLatencyBy } of stages) {
    if (interTokenLatency.count === 0) continue
    if (interTokenLatencyBy === undefined)
      return { absent: 'gaps between tokens were not kept per model and label: there were too many' }
    digests.push(...interTokenLatencyBy.filter((gaps) => matchesCall(filter, gaps)).map(({ digest }) => digest))
  }
  return digests
}

type Named = Pick<RequestRecord, 'model' | 'name' | 'agent'>

function matchesCall({ model, label }: SubsetFilter, call: Named): boolean {
  const hasLabel = label === undefined || matches(label, call.name) || (call.agent !== undefined && matches(label, call.agent))
  return hasLabel && (model === undefined || matches(model, call.model))
}

function matchesSession(wanted: SubsetFilter['session'], session: SessionRecord): boolean {
  if (wanted === undefined) return true
  return typeof wanted === 'function' ? wanted(session) : matches(wanted, session.id)
}

function matches(wanted: string | RegExp, found: string): boolean {
  // Searched, not tested: a global expression remembers where it last stood.
  return typeof wanted === 'string' ? wanted === found : found.search(wanted) >= 0
}

function sessionKey({ stage, id }: SessionRecord): string {
  return `${stage} ${id}`
}

const MOST_NAMES = 6

function nothingMatches(filter: SubsetFilter, requests: readonly RequestRecord[]): string {
  const known = (of: (request: RequestRecord) => readonly string[]) => {
    const names = [...new Set(requests.flatMap(of))]
    const shown = names.slice(0, MOST_NAMES).map((name) => `'${name}'`)
    return `${shown.join(', ')}${names.length > MOST_NAMES ? `, + ${names.length - MOST_NAMES} more` : ''}`
  }
  const there = [
    ...(filter.model === undefined ? [] : [`models ${known(({ model }) => [model])}`]),
    ...(filter.label === undefined
      ? []
      : [`labels ${known(({ name, agent }) => (agent === undefined ? [name] : [name, agent]))}`]),
    ...(filter.session === undefined ? [] : [`sessions ${known(({ session }) => [session])}`]),
  ]
  return `no request matches ${describeFilter(filter)}. The run has ${there.join('; ')}`
}

const CONDITIONS = ['model', 'label', 'session']

function checkFilter(filter: unknown): void {
  if (typeof filter !== 'object' || filter === null) {
    throw misuse(`where takes an object of conditions, not ${inspect(filter)}: \`run.where({ label: 'plan' })\`.`)
  }
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  if (given.length === 0) throw misuse(`where has no condition. Give at least one of ${CONDITIONS.join(', ')}.`)
  for (const [name, value] of given) {
    if (!CONDITIONS.includes(name)) {
      const close = nearest(name, CONDITIONS)
      throw misuse(
        `where: unknown condition \`${name}\`.${close === undefined ? ` Known: ${CONDITIONS.join(', ')}.` : ` Did you mean \`${close}\`?`}`,
      )
    }
    const isCondition =
      typeof value === 'string' || value instanceof RegExp || (name === 'session' && typeof value === 'function')
    if (!isCondition) {
      throw misuse(
        `where: \`${name}\` is ${inspect(value)}, expected text or a regular expression${name === 'session' ? ', or a function' : ''}.`,
      )
    }
  }
}

function misuse(message: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', message)
}
