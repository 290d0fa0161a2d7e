import type { ErrorRecord, RequestRecord, RequestState, SpliceCounts, ToolCallCounts } from './records.ts'
import { CONTINUED, JOIN, NONE, NUMBER, type RequestBlock, type SharedFacts, TIME } from './request-block.ts'
import type { KindFacts, OutcomeFacts } from './request-facts.ts'

const ROOT: readonly string[] = []

/** A request in its block, with the fields of a record. A small object, made for as long as someone looks at it. */
export class RequestRow {
  readonly #block: RequestBlock
  readonly #row: number
  readonly #shared: SharedFacts

  constructor(block: RequestBlock, row: number, shared: SharedFacts) {
    this.#block = block
    this.#row = row
    this.#shared = shared
  }

  get readyMs(): number | null {
    return this.#block.time(this.#row, TIME.ready)
  }

  get sentMs(): number | null {
    return this.#block.time(this.#row, TIME.sent)
  }

  get connectMs(): number {
    return this.#block.time(this.#row, TIME.connect) ?? 0
  }

  get firstOutputMs(): number | null {
    return this.#block.time(this.#row, TIME.firstOutput)
  }

  get lastOutputMs(): number | null {
    return this.#block.time(this.#row, TIME.lastOutput)
  }

  get endMs(): number | null {
    return this.#block.time(this.#row, TIME.end)
  }

  get outputChunks(): number {
    return this.#block.count(this.#row, NUMBER.outputChunks) ?? 0
  }

  get inputTokens(): number | null {
    return this.#block.count(this.#row, NUMBER.inputTokens)
  }

  get outputTokens(): number | null {
    return this.#block.count(this.#row, NUMBER.outputTokens)
  }

  get cachedInputTokens(): number | null {
    return this.#block.count(this.#row, NUMBER.cachedInputTokens)
  }

  get session(): string {
    return this.#shared.ids.at(this.#block.number(this.#row, NUMBER.session))
  }

  get call(): string {
    return this.#shared.ids.at(this.#block.number(this.#row, NUMBER.call))
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
    const number = this.#block.number(this.#row, NUMBER.after)
    if (number === NONE) return ROOT
    return number < JOIN ? [this.#predecessor(number)] : this.#shared.joins.at(number - JOIN).after
  }

  get waitMs(): number {
    return this.#block.time(this.#row, TIME.wait) ?? 0
  }

  get uncappedWaitMs(): number | undefined {
    return this.#block.uncappedWaitMs(this.#row)
  }

  get plannedOutputTokens(): number | null {
    return this.#block.count(this.#row, NUMBER.plannedOutputTokens)
  }

  get recordedInputTokens(): number | undefined {
    return this.#block.count(this.#row, NUMBER.recordedInputTokens) ?? undefined
  }

  get continues(): string | undefined {
    const number = this.#block.number(this.#row, NUMBER.after)
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
    return this.#shared.kinds.at(this.#block.number(this.#row, NUMBER.kind))
  }

  get #outcome(): OutcomeFacts {
    return this.#shared.outcomes.at(this.#block.number(this.#row, NUMBER.outcome))
  }

  #predecessor(number: number): string {
    return this.#shared.ids.at(number < CONTINUED ? number : number - CONTINUED)
  }
}
