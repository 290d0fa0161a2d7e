import type { Interned } from './interned.ts'
import type { RequestRecord } from './records.ts'
import { type JoinFacts, joinHint, type KindFacts, kindHint, type OutcomeFacts, outcomeHint } from './request-facts.ts'

/** What the rows of a run refer to by number. */
export interface SharedFacts {
  /** Ids of sessions and calls. */
  readonly ids: Interned<string>
  readonly kinds: Interned<KindFacts>
  readonly outcomes: Interned<OutcomeFacts>
  /** Of calls that have several predecessors. */
  readonly joins: Interned<JoinFacts>
}

/** Rows that are taken room for at once: memory grows without a copy, and little of it is ahead of need. */
export const ROWS = 256

/** Columns of times, in milliseconds. */
export const TIME = { ready: 0, wait: 1, sent: 2, connect: 3, firstOutput: 4, lastOutput: 5, end: 6 } as const
const TIMES = 7

/** Columns of counts, and of numbers of {@link SharedFacts}. */
export const NUMBER = {
  outputChunks: 0,
  inputTokens: 1,
  outputTokens: 2,
  cachedInputTokens: 3,
  plannedOutputTokens: 4,
  recordedInputTokens: 5,
  session: 6,
  call: 7,
  kind: 8,
  outcome: 9,
  /** Id of the one predecessor, which it goes on from where {@link CONTINUED} is set; of several a join, and {@link JOIN}. */
  after: 10,
} as const
const NUMBERS = 11

export const JOIN = 0x80_00_00_00
export const CONTINUED = 0x40_00_00_00
/** Stands for no value among numbers; among times `NaN` does. */
export const NONE = 0xff_ff_ff_ff

/** {@link ROWS} requests, 100 bytes each. */
export class RequestBlock {
  readonly #times = new Float64Array(ROWS * TIMES)
  readonly #numbers = new Uint32Array(ROWS * NUMBERS)
  /** By row: few waits are capped. */
  readonly #uncappedWaits = new Map<number, number>()

  time(row: number, column: number): number | null {
    const value = this.#times[row * TIMES + column] ?? Number.NaN
    return Number.isNaN(value) ? null : value
  }

  count(row: number, column: number): number | null {
    const value = this.number(row, column)
    return value === NONE ? null : value
  }

  number(row: number, column: number): number {
    return this.#numbers[row * NUMBERS + column] ?? NONE
  }

  uncappedWaitMs(row: number): number | undefined {
    return this.#uncappedWaits.get(row)
  }

  /** On the path of every request. */
  write(row: number, record: RequestRecord, shared: SharedFacts): void {
    const times = this.#times
    const time = row * TIMES
    times[time + TIME.ready] = record.readyMs ?? Number.NaN
    times[time + TIME.wait] = record.waitMs
    times[time + TIME.sent] = record.sentMs ?? Number.NaN
    times[time + TIME.connect] = record.connectMs
    times[time + TIME.firstOutput] = record.firstOutputMs ?? Number.NaN
    times[time + TIME.lastOutput] = record.lastOutputMs ?? Number.NaN
    times[time + TIME.end] = record.endMs ?? Number.NaN
    if (record.uncappedWaitMs !== undefined) this.#uncappedWaits.set(row, record.uncappedWaitMs)
    const { session, call } = record
    const numbers = this.#numbers
    const number = row * NUMBERS
    numbers[number + NUMBER.outputChunks] = record.outputChunks
    numbers[number + NUMBER.inputTokens] = record.inputTokens ?? NONE
    numbers[number + NUMBER.outputTokens] = record.outputTokens ?? NONE
    numbers[number + NUMBER.cachedInputTokens] = record.cachedInputTokens ?? NONE
    numbers[number + NUMBER.plannedOutputTokens] = record.plannedOutputTokens ?? NONE
    numbers[number + NUMBER.recordedInputTokens] = record.recordedInputTokens ?? NONE
    numbers[number + NUMBER.session] = shared.ids.numberOf(session, session)
    numbers[number + NUMBER.call] = shared.ids.numberOf(call, call)
    numbers[number + NUMBER.kind] = shared.kinds.numberOf(kindHint(record), record)
    numbers[number + NUMBER.outcome] = shared.outcomes.numberOf(outcomeHint(record), record)
    numbers[number + NUMBER.after] = numberOfPredecessors(record, shared)
  }
}

function numberOfPredecessors(record: RequestRecord, { ids, joins }: SharedFacts): number {
  const { after, continues } = record
  const [first] = after
  if (first === undefined) return NONE
  if (after.length > 1) return JOIN + joins.numberOf(joinHint(record), record)
  return ids.numberOf(first, first) + (continues === undefined ? 0 : CONTINUED)
}

const REQUIRED_FIELDS = 22

/** Whether a block can hold all of a record: it has no other fields, and no value that there is no room for. */
export function fitsBlock(record: RequestRecord): boolean {
  const { agent, labels, uncappedWaitMs, recordedInputTokens, continues, toolCalls } = record
  let fields = REQUIRED_FIELDS
  if (agent !== undefined) fields++
  if (labels !== undefined) fields++
  if (uncappedWaitMs !== undefined) fields++
  if (recordedInputTokens !== undefined) fields++
  if (continues !== undefined) fields++
  if (toolCalls !== undefined) fields++
  return (
    Object.keys(record).length === fields &&
    isTimeOrNull(record.readyMs) &&
    isTime(record.waitMs) &&
    (uncappedWaitMs === undefined || isTime(uncappedWaitMs)) &&
    isTimeOrNull(record.sentMs) &&
    isTime(record.connectMs) &&
    isTimeOrNull(record.firstOutputMs) &&
    isTimeOrNull(record.lastOutputMs) &&
    isTimeOrNull(record.endMs) &&
    isCount(record.outputChunks) &&
    isCountOrNull(record.inputTokens) &&
    isCountOrNull(record.outputTokens) &&
    isCountOrNull(record.cachedInputTokens) &&
    isCountOrNull(record.plannedOutputTokens) &&
    (recordedInputTokens === undefined || isCount(recordedInputTokens)) &&
    (continues === undefined || record.after.includes(continues))
  )
}

function isTimeOrNull(value: number | null): boolean {
  return value === null || isTime(value)
}

function isTime(value: number): boolean {
  return typeof value === 'number' && !Number.isNaN(value)
}

function isCountOrNull(value: number | null): boolean {
  return value === null || isCount(value)
}

function isCount(value: number): boolean {
  return value >>> 0 === value && value !== NONE && !Object.is(value, -0)
}
