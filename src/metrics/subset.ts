import type { Gradable } from './gradable.ts'
import type { DigestRecord, SessionRecord, StageRecord } from './records.ts'
import type { Run } from './run.ts'
import { type PartOfRun, Slice } from './slice.ts'
import {
  checkFilter,
  describeFilter,
  isText,
  matchesCall,
  matchesSession,
  nothingMatches,
  type SubsetFilter,
} from './subset-filter.ts'

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
    return this.#run.sessions.length > 0 && this.requestList.length === 0
      ? { ok: false, reason: nothingMatches(this.#filter, this.#run.requestList) }
      : super.gradable
  }

  override toJSON() {
    return { where: describeFilter(this.#filter), ...super.toJSON() }
  }
}

function partOf(whole: Slice, filter: SubsetFilter): PartOfRun {
  const { sessions, requestList: requests, recordedStages: stages } = whole
  const wanted = new Set(sessions.filter((session) => matchesSession(filter.session, session)).map(sessionKey))
  const matching = requests.filter((request) => wanted.has(`${request.stage} ${request.session}`) && matchesCall(filter, request))
  const involved = new Set(matching.map((request) => `${request.stage} ${request.session}`))
  return {
    stages,
    sessions: sessions.filter((session) => involved.has(sessionKey(session))),
    requests: matching,
    gaps:
      filter.session !== undefined
        ? { absent: 'gaps between tokens are kept per model and name, not per session' }
        : filter.label !== undefined && !isText(filter.label)
          ? { absent: 'gaps between tokens are kept per model and name, not per label of the spans' }
          : gapsOf(stages, filter),
  }
}

function gapsOf(stages: readonly StageRecord[], filter: SubsetFilter): PartOfRun['gaps'] {
  const digests: DigestRecord[] = []
  for (const { interTokenLatency, interTokenLatencyBy } of stages) {
    if (interTokenLatency.count === 0) continue
    if (interTokenLatencyBy === undefined)
      return { absent: 'gaps between tokens were not kept per model and name: there were too many' }
    digests.push(...interTokenLatencyBy.filter((gaps) => matchesCall(filter, gaps)).map(({ digest }) => digest))
  }
  return digests
}

function sessionKey({ stage, id }: SessionRecord): string {
  return `${stage} ${id}`
}
