import type { ApiFormat, Closing, ResponseHead, StreamEncoder } from './api-format.ts'
import type { OmittedPart } from './fault-options.ts'
import type { Generation, Piece } from './generation.ts'
import type { GenerationRequest } from './generation-request.ts'
import type { InferenceJob } from './inference-model.ts'
import type { ResponseBody } from './response-body.ts'
import type { TokenSequence } from './tokens.ts'

export interface AnswerOptions {
  readonly request: GenerationRequest
  readonly generation: Generation
  readonly format: ApiFormat
  readonly head: ResponseHead
  readonly body: ResponseBody
  readonly tokensPerChunk: number
  readonly omitted: readonly OmittedPart[]
  readonly onProgress: (progress: { readonly cachedTokens: number; readonly completionTokens: number }) => void
}

/** One answer: takes its tokens as the model is done with them and writes them to the response. */
export class Answer implements InferenceJob {
  readonly promptTokens: number
  readonly promptBlocks: readonly number[]
  readonly outputTokens: number
  readonly #request: GenerationRequest
  readonly #generation: Generation
  readonly #format: ApiFormat
  readonly #head: ResponseHead
  readonly #encoder: StreamEncoder
  readonly #body: ResponseBody
  readonly #tokensPerChunk: number
  readonly #omitted: readonly OmittedPart[]
  readonly #onProgress: AnswerOptions['onProgress']
  /** Prompt and output together, for the prefix cache. */
  readonly #tokens: TokenSequence
  #cachedTokens = 0
  /** Tokens the model has made, and those of them that went into the response. */
  #made = 0
  #taken = 0
  /** Pieces for the next chunk, or all of them when nothing is streamed. */
  #pieces: Piece[] = []
  #opened = false
  /** Second half of a body that is not streamed. */
  #rest = ''

  constructor(options: AnswerOptions) {
    this.#request = options.request
    this.#generation = options.generation
    this.#format = options.format
    this.#head = options.head
    this.#encoder = options.format.stream(options.head)
    this.#body = options.body
    this.#tokensPerChunk = options.tokensPerChunk
    this.#omitted = options.omitted
    this.#onProgress = options.onProgress
    this.promptTokens = options.request.prompt.length
    this.promptBlocks = options.request.prompt.blockHashes
    // An empty answer takes a token too: the one that says so.
    this.outputTokens = Math.max(1, options.generation.tokens)
    this.#tokens = options.request.prompt.copy()
  }

  onPrefill(cachedTokens: number): void {
    this.#cachedTokens = cachedTokens
    this.#report()
  }

  onToken(): void {
    this.#made++
    this.#report()
    this.write()
  }

  blocksWithOutput(): readonly number[] {
    this.#tokens.marker('end')
    return this.#tokens.blockHashes
  }

  /** Writes what the model has made and the response takes; called again when the response is no longer blocked. */
  write(): void {
    if (this.#made === 0) return
    if (this.#request.stream) this.#openStream()
    while (this.#taken < this.#made && !this.#body.blocked) this.#takeToken()
    if (this.#taken < this.outputTokens) return
    if (this.#request.stream) this.#endStream()
    else this.#endWhole()
  }

  #takeToken(): void {
    this.#taken++
    const piece = this.#generation.pieces.next().value
    if (piece === undefined) return
    if (piece.kind === 'tool_call') this.#tokens.toolCall(piece.name)
    else this.#tokens.text(piece.text)
    const [first] = this.#pieces
    if (this.#request.stream && first !== undefined && !sharesChunk(first, piece)) this.#writeChunk()
    this.#pieces.push(piece)
    if (this.#request.stream && this.#pieces.length === this.#tokensPerChunk) this.#writeChunk()
  }

  #openStream(): void {
    if (this.#opened || this.#body.blocked) return
    this.#opened = true
    this.#body.write(this.#encoder.opening())
    this.#body.strikeIfDue()
  }

  #writeChunk(): void {
    const [first, ...rest] = this.#pieces
    if (first === undefined) return
    this.#pieces = []
    this.#body.writeChunk(this.#encoder.chunk([first, ...rest]))
  }

  #endStream(): void {
    if (!this.#body.blocked) this.#writeChunk()
    if (!this.#body.blocked) this.#body.strikeIfDue(true)
    if (!this.#body.blocked) this.#body.end(this.#encoder.closing(this.#closing(this.#request.streamUsage)))
  }

  #endWhole(): void {
    if (!this.#opened) {
      this.#opened = true
      const text = this.#format.whole(this.#head, this.#pieces, this.#closing(true))
      const middle = Math.floor(text.length / 2)
      this.#rest = text.slice(middle)
      this.#body.write(text.slice(0, middle))
      this.#body.strikeIfDue(true)
    }
    if (!this.#body.blocked) this.#body.end(this.#rest)
  }

  #closing(withUsage: boolean): Closing {
    return {
      finishReason: this.#omitted.includes('finish_reason') ? null : this.#generation.finishReason,
      usage:
        !withUsage || this.#omitted.includes('usage')
          ? null
          : {
              promptTokens: this.promptTokens,
              cachedTokens: this.#cachedTokens,
              completionTokens: this.#generation.tokens,
              reasoningTokens: this.#generation.reasoningTokens,
            },
      done: !this.#omitted.includes('done'),
    }
  }

  #report(): void {
    const completionTokens = Math.min(this.#made, this.#generation.tokens)
    this.#onProgress({ cachedTokens: this.#cachedTokens, completionTokens })
  }
}

/** Whether two successive pieces can be told in one chunk. */
function sharesChunk(first: Piece, next: Piece): boolean {
  if (next.kind === 'tool_call') return false
  if (next.kind !== 'arguments') return first.kind === next.kind
  return (first.kind === 'arguments' || first.kind === 'tool_call') && first.index === next.index
}
