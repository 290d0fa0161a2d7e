import { isSameJson } from './interned.ts'
import type { ErrorRecord, RequestState, SpliceCounts, ToolCallCounts } from './records.ts'

/** What a call is to its figures: few different ones in a run. */
export interface KindFacts {
  readonly name: string
  readonly agent?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly model: string
}

/** What came of a request, its times and counts aside: few different ones, too. */
export interface OutcomeFacts {
  readonly stage: number
  readonly state: RequestState
  readonly error: ErrorRecord | null
  readonly tokensEstimated: boolean
  readonly splices: SpliceCounts
  readonly toolCalls?: ToolCallCounts | undefined
}

/** Where several calls come together. */
export interface JoinFacts {
  readonly after: readonly string[]
  readonly continues?: string | undefined
}

/** Of a whole record. All have one shape, absent fields included, which is read faster. */
export function kindFacts({ name, agent, labels, model }: KindFacts): KindFacts {
  return { name, agent, labels, model }
}

export function outcomeFacts({ stage, state, error, tokensEstimated, splices, toolCalls }: OutcomeFacts): OutcomeFacts {
  return { stage, state, error, tokensEstimated, splices, toolCalls }
}

export function joinFacts({ after, continues }: JoinFacts): JoinFacts {
  return { after, continues }
}

export function isSameKind(a: KindFacts, b: KindFacts): boolean {
  return a.name === b.name && a.agent === b.agent && a.model === b.model && isSameJson(a.labels, b.labels)
}

export function isSameOutcome(a: OutcomeFacts, b: OutcomeFacts): boolean {
  return (
    a.stage === b.stage &&
    a.state === b.state &&
    a.tokensEstimated === b.tokensEstimated &&
    isSameJson(a.error, b.error) &&
    isSameJson(a.splices, b.splices) &&
    isSameJson(a.toolCalls, b.toolCalls)
  )
}

export function isSameJoin(a: JoinFacts, b: JoinFacts): boolean {
  return a.continues === b.continues && isSameJson(a.after, b.after)
}

/*
 * Hints by which equal facts are found: the same for equal ones, and for as few others as a run may have many of.
 */

export function kindHint({ name, labels }: KindFacts): string {
  return labels === undefined ? name : JSON.stringify(labels)
}

export function outcomeHint({ stage, error, splices, toolCalls }: OutcomeFacts): number {
  const base = mixed(mixed(mixed(stage, error === null ? 0 : 1), splices.live), splices.diverged)
  if (toolCalls === undefined) return base
  const { matched, missing, extra, renamed, malformed } = toolCalls
  return mixed(mixed(mixed(mixed(mixed(base, matched), missing), extra), renamed), malformed)
}

export function joinHint({ after }: JoinFacts): string {
  return after.join('\n')
}

/** Larger numbers are looked up more slowly. */
const SMALL = 0x3f_ff_ff_ff

function mixed(hash: number, value: number): number {
  return (Math.imul(hash, 31) + value) & SMALL
}
