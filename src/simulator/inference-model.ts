import type { PrefixCache } from './prefix-cache.ts'

/** The figures that set how long everything takes. */
export interface ModelTiming {
  readonly maxBatch: number
  readonly prefillTokensPerSecond: number
  readonly decodeStepMs: number
  readonly decodeSlowdownPerRequest: number
  readonly cacheBlockTokens: number
}

/** One request as the model sees it. */
export interface InferenceJob {
  readonly promptTokens: number
  /** Hashes of the prompt's whole blocks. */
  readonly promptBlocks: readonly number[]
  /** At least 1. */
  readonly outputTokens: number
  /** Its prompt is begun; so much of it needs no work. */
  onPrefill(cachedTokens: number): void
  /** Called once for each output token. */
  onToken(): void
  /** After the last token: hashes of the whole blocks of prompt and output, for the cache. */
  blocksWithOutput(): readonly number[]
}

/**
 * A model of an inference server, driven from outside by `advance`: it reads no clock and sets no timer.
 *
 * - Requests run in order of arrival, at most `maxBatch` at once; the others queue.
 * - Prompts are processed one after the other, without their cached prefix; the end of a prompt yields the first token.
 * - Decoding goes in steps for the whole batch: each takes `decodeStepMs × (1 + decodeSlowdownPerRequest × (batch − 1))`
 *   and yields a token for each request in it. A request whose prompt is done joins at the next step.
 *
 * The same submissions at the same times give the same tokens at the same times, always.
 */
export class InferenceModel {
  readonly #timing: ModelTiming
  readonly #cache: PrefixCache
  #nowMs = 0

  // Sets keep the order of arrival and let a request leave from anywhere.
  readonly #queue = new Set<InferenceJob>()
  readonly #prefills = new Set<InferenceJob>()
  #prefillEndMs = Number.POSITIVE_INFINITY
  /** Tokens left to write. */
  readonly #batch = new Map<InferenceJob, number>()
  readonly #joining = new Map<InferenceJob, number>()
  #stepEndMs = Number.POSITIVE_INFINITY
  #prefixHitTokens = 0
  #prefixQueryTokens = 0

  constructor(timing: ModelTiming, cache: PrefixCache) {
    this.#timing = timing
    this.#cache = cache
  }

  /** Simulated time. */
  get nowMs(): number {
    return this.#nowMs
  }

  get queued(): number {
    return this.#queue.size
  }

  get running(): number {
    return this.#prefills.size + this.#batch.size + this.#joining.size
  }

  /** Prompt tokens that were in the cache, of all whose prompts were begun. */
  get prefixTokens(): { readonly hits: number; readonly queries: number } {
    return { hits: this.#prefixHitTokens, queries: this.#prefixQueryTokens }
  }

  /** When something happens next, if nothing is submitted before; `Infinity` when idle. */
  get nextEventMs(): number {
    return Math.min(this.#stepEndMs, this.#prefillEndMs)
  }

  /** The request arrives now: `advance` first. */
  submit(job: InferenceJob): void {
    this.#queue.add(job)
    this.#admit()
  }

  /** The request is given up now; its place is free at once. Does nothing for one that has ended. */
  cancel(job: InferenceJob): void {
    const wasInPrefill = this.#prefills.values().next().value === job
    this.#queue.delete(job)
    this.#batch.delete(job)
    this.#joining.delete(job)
    if (this.#prefills.delete(job) && wasInPrefill) this.#startPrefill()
    this.#admit()
  }

  /** Lives through everything up to `untilMs`, in order of time. */
  advance(untilMs: number): void {
    for (let next = this.nextEventMs; next <= untilMs && next !== Number.POSITIVE_INFINITY; next = this.nextEventMs) {
      this.#nowMs = next
      if (this.#stepEndMs === next) this.#endStep()
      else this.#endPrefill()
      this.#admit()
    }
    if (Number.isFinite(untilMs)) this.#nowMs = Math.max(this.#nowMs, untilMs)
  }

  #admit(): void {
    for (const job of this.#queue) {
      if (this.running >= this.#timing.maxBatch) break
      this.#queue.delete(job)
      this.#prefills.add(job)
      if (this.#prefills.size === 1) this.#startPrefill()
    }
  }

  #startPrefill(): void {
    const [job] = this.#prefills
    if (job === undefined) {
      this.#prefillEndMs = Number.POSITIVE_INFINITY
      return
    }
    const known = this.#cache.match(job.promptBlocks) * this.#timing.cacheBlockTokens
    // The last token must be processed in any case: the first output token comes from it.
    const cached = Math.min(
      known,
      Math.floor((job.promptTokens - 1) / this.#timing.cacheBlockTokens) * this.#timing.cacheBlockTokens,
    )
    this.#prefillEndMs = this.#nowMs + ((job.promptTokens - cached) / this.#timing.prefillTokensPerSecond) * 1_000
    this.#prefixHitTokens += cached
    this.#prefixQueryTokens += job.promptTokens
    job.onPrefill(cached)
  }

  #endPrefill(): void {
    const [job] = this.#prefills
    if (job === undefined) return
    this.#prefills.delete(job)
    this.#cache.add(job.promptBlocks)
    this.#joining.set(job, job.outputTokens - 1)
    this.#startPrefill()
    job.onToken()
    if (job.outputTokens === 1) this.#finish(job)
    if (this.#stepEndMs === Number.POSITIVE_INFINITY) this.#startStep()
  }

  #startStep(): void {
    for (const [job, tokensLeft] of this.#joining) this.#batch.set(job, tokensLeft)
    this.#joining.clear()
    const slowdown = 1 + this.#timing.decodeSlowdownPerRequest * (this.#batch.size - 1)
    this.#stepEndMs = this.#batch.size === 0 ? Number.POSITIVE_INFINITY : this.#nowMs + this.#timing.decodeStepMs * slowdown
  }

  #endStep(): void {
    // A callback may cancel any job: Map iteration allows it, and a job that is gone is not visited.
    for (const [job, tokensLeft] of this.#batch) {
      if (tokensLeft > 1) this.#batch.set(job, tokensLeft - 1)
      job.onToken()
      if (tokensLeft === 1) this.#finish(job)
    }
    this.#startStep()
  }

  #finish(job: InferenceJob): void {
    this.#batch.delete(job)
    this.#joining.delete(job)
    this.#cache.add(job.blocksWithOutput())
  }
}
