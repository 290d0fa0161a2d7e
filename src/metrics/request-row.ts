import type { Interned } from './interned.ts'
import type { ErrorRecord, RequestRecord, RequestState, SpliceCounts, ToolCallCounts } from './records.ts'
import type { JoinFacts, KindFacts, OutcomeFacts } from './request-facts.ts'

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

const TIMES = 7
const READY = 0
const WAIT = 1
const SENT = 2
const CONNECT = 3
const FIRST_OUTPUT = 4
const LAST_OUTPUT = 5
const END = 6

const NUMBERS = 11
const CHUNKS = 0
const INPUT = 1
const OUTPUT = 2
const CACHED = 3
const PLANNED = 4
const RECORDED_INPUT = 5
const SESSION = 6
const CALL = 7
const KIND = 8
const OUTCOME = 9
/** The one predecessor, {@link CONTINUED} or not; or several, where {@link JOIN} is set. */
const AFTER = 10

/** Stands for no value among numbers; among times `NaN` does. */
const NONE = 0xff_ff_ff_ff
const JOIN = 0x80_00_00_00
const CONTINUED = 0x40_00_00_00
const ROOT: readonly string[] = []

const REQUIRED_FIELDS = 22

/** Times and numbers of {@link ROWS} requests, 100 bytes each. */
export class Block {
  readonly times = new Float64Array(ROWS * TIMES)
  readonly numbers = new Uint32Array(ROWS * NUMBERS)
  /** By row: few waits are capped. */
  readonly uncappedWaits = new Map<number, number>()
}

/** Whether a row can hold all of a record: it has no other fields, and no value that there is no room for. */
export function fitsRow(record: RequestRecord): boolean {
  const { agent, labels, uncappedWaitMs, recordedInputTokens, continues, toolCalls } = record
  let fields = REQUIRED_FIELDS
  if (agent !== undefined) fields++
  if (labels !== undefined) fields++
  if (uncappedWaitMs !== undefined) fields++
  if (recordedInputTokens !== undefined) fields++
  if (continues !== undefined) fields++
  if (toolCalls !== undefined) fields++
  for (const _field in record) fields--
  return (
    fields === 0 &&
    isTimeOrNull(record.readyMs) &&
    isTimeOrNull(record.sentMs) &&
    isTimeOrNull(record.firstOutputMs) &&
    isTimeOrNull(record.lastOutputMs) &&
    isTimeOrNull(record.endMs) &&
    isTime(record.waitMs) &&
    isTime(record.connectMs) &&
    (uncappedWaitMs === undefined || isTime(uncappedWaitMs)) &&
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

export function writeRow(block: Block, row: number, record: RequestRecord, shared: SharedFacts): void {
  const { times, numbers } = block
  const time = row * TIMES
  times[time + READY] = record.readyMs ?? Number.NaN
  times[time + WAIT] = record.waitMs
  if (record.uncappedWaitMs !== undefined) block.uncappedWaits.set(row, record.uncappedWaitMs)
  times[time + SENT] = record.sentMs ?? Number.NaN
  times[time + CONNECT] = record.connectMs
  times[time + FIRST_OUTPUT] = record.firstOutputMs ?? Number.NaN
  times[time + LAST_OUTPUT] = record.lastOutputMs ?? Number.NaN
  times[time + END] = record.endMs ?? Number.NaN
  const { session, call } = record
  const number = row * NUMBERS
  numbers[number + CHUNKS] = record.outputChunks
  numbers[number + INPUT] = record.inputTokens ?? NONE
  numbers[number + OUTPUT] = record.outputTokens ?? NONE
  numbers[number + CACHED] = record.cachedInputTokens ?? NONE
  numbers[number + PLANNED] = record.plannedOutputTokens ?? NONE
  numbers[number + RECORDED_INPUT] = record.recordedInputTokens ?? NONE
  numbers[number + SESSION] = shared.ids.numberOf(session, session)
  numbers[number + CALL] = shared.ids.numberOf(call, call)
  numbers[number + KIND] = shared.kinds.numberOf(record.name, record)
  numbers[number + OUTCOME] = shared.outcomes.numberOf(record.splices.live, record)
  numbers[number + AFTER] = numberOfPredecessors(record, shared)
}

function numberOfPredecessors(record: RequestRecord, { ids, joins }: SharedFacts): number {
  const { after, continues } = record
  const [first] = after
  if (first === undefined) return NONE
  if (after.length > 1) return JOIN + joins.numberOf(first, record)
  return ids.numberOf(first, first) + (continues === undefined ? 0 : CONTINUED)
}

/** A request in its columns, with the fields of a record. A small object, made for as long as someone looks at it. */
export class RequestRow {
  readonly #block: Block
  readonly #row: number
  readonly #shared: SharedFacts

  constructor(block: Block, row: number, shared: SharedFacts) {
    this.#block = block
    this.#row = row
    this.#shared = shared
  }

  get readyMs(): number | null {
    return this.#time(READY)
  }

  get sentMs(): number | null {
    return this.#time(SENT)
  }

  get connectMs(): number {
    return this.#time(CONNECT) ?? 0
  }

  get firstOutputMs(): number | null {
    return this.#time(FIRST_OUTPUT)
  }

  get lastOutputMs(): number | null {
    return this.#time(LAST_OUTPUT)
  }

  get endMs(): number | null {
    return this.#time(END)
  }

  get outputChunks(): number {
    return this.#count(CHUNKS) ?? 0
  }

  get inputTokens(): number | null {
    return this.#count(INPUT)
  }

  get outputTokens(): number | null {
    return this.#count(OUTPUT)
  }

  get cachedInputTokens(): number | null {
    return this.#count(CACHED)
  }

  get session(): string {
    return this.#shared.ids.at(this.#number(SESSION))
  }

  get call(): string {
    return this.#shared.ids.at(this.#number(CALL))
  }

  get name(): string {
    return this.#kind.name
  }

  get agent(): string | undefined {
    return this.#kind.agent
  }

  get labels(): Readonly<Record<string, string>> | undefined {
    return this.#kind.labels
  }

  get model(): string {
    return this.#kind.model
  }

  get after(): readonly string[] {
    const number = this.#number(AFTER)
    if (number === NONE) return ROOT
    return number < JOIN ? [this.#predecessor(number)] : this.#shared.joins.at(number - JOIN).after
  }

  get waitMs(): number {
    return this.#time(WAIT) ?? 0
  }

  get uncappedWaitMs(): number | undefined {
    return this.#block.uncappedWaits.get(this.#row)
  }

  get plannedOutputTokens(): number | null {
    return this.#count(PLANNED)
  }

  get recordedInputTokens(): number | undefined {
    return this.#count(RECORDED_INPUT) ?? undefined
  }

  get continues(): string | undefined {
    const number = this.#number(AFTER)
    if (number === NONE || number < CONTINUED) return undefined
    return number < JOIN ? this.#predecessor(number) : this.#shared.joins.at(number - JOIN).continues
  }

  get stage(): number {
    return this.#outcome.stage
  }

  get state(): RequestState {
    return this.#outcome.state
  }

  get error(): ErrorRecord | null {
    return this.#outcome.error
  }

  get tokensEstimated(): boolean {
    return this.#outcome.tokensEstimated
  }

  get splices(): SpliceCounts {
    return this.#outcome.splices
  }

  get toolCalls(): ToolCallCounts | undefined {
    return this.#outcome.toolCalls
  }

  /** A plain record of it. */
  toRecord(): RequestRecord {
    const { name, agent, labels, model } = this.#kind
    const { stage, state, error, tokensEstimated, splices, toolCalls } = this.#outcome
    const record: { -readonly [Field in keyof RequestRecord]: RequestRecord[Field] } = {
      session: this.session,
      call: this.call,
      name,
      model,
      stage,
      state,
      error,
      after: this.after,
      readyMs: this.readyMs,
      waitMs: this.waitMs,
      sentMs: this.sentMs,
      connectMs: this.connectMs,
      firstOutputMs: this.firstOutputMs,
      lastOutputMs: this.lastOutputMs,
      endMs: this.endMs,
      outputChunks: this.outputChunks,
      inputTokens: this.inputTokens,
      outputTokens: this.outputTokens,
      cachedInputTokens: this.cachedInputTokens,
      tokensEstimated,
      plannedOutputTokens: this.plannedOutputTokens,
      splices,
    }
    const { uncappedWaitMs, recordedInputTokens, continues } = this
    if (agent !== undefined) record.agent = agent
    if (labels !== undefined) record.labels = labels
    if (uncappedWaitMs !== undefined) record.uncappedWaitMs = uncappedWaitMs
    if (recordedInputTokens !== undefined) record.recordedInputTokens = recordedInputTokens
    if (continues !== undefined) record.continues = continues
    if (toolCalls !== undefined) record.toolCalls = toolCalls
    return record
  }

  get #kind(): KindFacts {
    return this.#shared.kinds.at(this.#number(KIND))
  }

  get #outcome(): OutcomeFacts {
    return this.#shared.outcomes.at(this.#number(OUTCOME))
  }

  #predecessor(number: number): string {
    return this.#shared.ids.at(number < CONTINUED ? number : number - CONTINUED)
  }

  #time(column: number): number | null {
    const value = this.#block.times[this.#row * TIMES + column] ?? Number.NaN
    return Number.isNaN(value) ? null : value
  }

  #count(column: number): number | null {
    const value = this.#number(column)
    return value === NONE ? null : value
  }

  #number(column: number): number {
    return this.#block.numbers[this.#row * NUMBERS + column] ?? NONE
  }
}
