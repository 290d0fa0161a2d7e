import type { Clock } from '../base/index.ts'
import type { ApiFormat, Closing, ResponseHead, StreamEncoder } from './api-format.ts'
import type { OmittedPart } from './fault-options.ts'
import type { Generation, Piece } from './generation.ts'
import type { InferenceJob } from './inference-model.ts'
import type { LoggedRequest } from './request-log.ts'
import type { ResponseBody } from './response-body.ts'
import type { TokenSequence } from './tokens.ts'

export interface AnswerOptions {
  /** The answer's tokens are added to it. */
  readonly tokens: TokenSequence
  readonly generation: Generation
  readonly format: ApiFormat
  readonly head: ResponseHead
  readonly body: Pick<ResponseBody, 'blocked' | 'write' | 'writeChunk' | 'strikeIfDue' | 'end'>
  readonly stream: boolean
  readonly streamUsage: boolean
  readonly tokensPerChunk: number
  readonly omitted: readonly OmittedPart[]
  readonly entry: LoggedRequest
  readonly clock: Clock
}

/**
 * One answer: takes its tokens as the model is done with them and writes them to the response. It holds on to nothing of
 * the request's body, which may be large while the answer waits in the queue.
 */
export class Answer implements InferenceJob {
  readonly promptTokens: number
  readonly promptBlocks: readonly number[]
  readonly outputTokens: number
  readonly #options: AnswerOptions
  readonly #encoder: StreamEncoder
  /** Tokens the model has made, and those of them that went into the response. */
  #made = 0
  #taken = 0
  /** Pieces for the next chunk, or all of them when nothing is streamed. */
  #pieces: Piece[] = []
  #opened = false
  /** Second half of a body that is not streamed. */
  #rest = ''

  constructor(options: AnswerOptions) {
    this.#options = options
    this.#encoder = options.format.stream(options.head)
    this.promptTokens = options.tokens.length
    this.promptBlocks = options.tokens.blockHashes
    // An empty answer takes a token too: the one that says so.
    this.outputTokens = Math.max(1, options.generation.tokens)
  }

  onPrefill(cachedTokens: number): void {
    this.#options.entry.cachedTokens = cachedTokens
  }

  onToken(): void {
    const { entry, generation, clock } = this.#options
    this.#made++
    entry.completionTokens = Math.min(this.#made, generation.tokens)
    entry.firstTokenMs ??= clock.now()
    this.write()
  }

  blocksWithOutput(): readonly number[] {
    this.#options.tokens.marker('end')
    return this.#options.tokens.blockHashes
  }

  /** Writes what the model has made and the response takes; called again when the response is no longer blocked. */
  write(): void {
    const { body, stream } = this.#options
    if (this.#made === 0) return
    if (stream) this.#openStream()
    while (this.#taken < this.#made && !body.blocked) this.#takeToken()
    if (this.#taken < this.outputTokens) return
    if (stream) this.#endStream()
    else this.#endWhole()
  }

  #takeToken(): void {
    const { generation, stream, tokens, tokensPerChunk } = this.#options
    this.#taken++
    const piece = generation.pieces.next().value
    if (piece === undefined) return
    if (piece.kind === 'tool_call') tokens.toolCall(piece.name)
    else tokens.text(piece.text)
    const [first] = this.#pieces
    if (stream && first !== undefined && !sharesChunk(first, piece)) this.#writeChunk()
    this.#pieces.push(piece)
    if (stream && this.#pieces.length === tokensPerChunk) this.#writeChunk()
  }

  #openStream(): void {
    const { body } = this.#options
    if (this.#opened || body.blocked) return
    this.#opened = true
    body.write(this.#encoder.opening(this.#options.omitted.includes('usage') ? null : this.#promptUsage))
    body.strikeIfDue()
  }

  #writeChunk(): void {
    const [first, ...rest] = this.#pieces
    if (first === undefined) return
    this.#pieces = []
    this.#options.body.writeChunk(this.#encoder.chunk([first, ...rest]))
  }

  #endStream(): void {
    const { body, streamUsage } = this.#options
    if (!body.blocked) this.#writeChunk()
    if (!body.blocked) body.strikeIfDue(true)
    if (!body.blocked) body.end(this.#encoder.closing(this.#closing(streamUsage)))
  }

  #endWhole(): void {
    const { body, format, head } = this.#options
    if (!this.#opened) {
      this.#opened = true
      const text = format.whole(head, this.#pieces, this.#closing(true))
      const middle = Math.floor(text.length / 2)
      this.#rest = text.slice(middle)
      body.write(text.slice(0, middle))
      body.strikeIfDue(true)
    }
    if (!body.blocked) body.end(this.#rest)
  }

  get #promptUsage() {
    return { promptTokens: this.promptTokens, cachedTokens: this.#options.entry.cachedTokens ?? 0 }
  }

  #closing(withUsage: boolean): Closing {
    const { generation, omitted } = this.#options
    const usage = {
      ...this.#promptUsage,
      completionTokens: generation.tokens,
      reasoningTokens: generation.reasoningTokens,
    }
    return {
      finishReason: omitted.includes('finish_reason') ? null : generation.finishReason,
      usage: withUsage && !omitted.includes('usage') ? usage : null,
      done: !omitted.includes('done'),
    }
  }
}

/** Whether two successive pieces can be told in one chunk. */
function sharesChunk(first: Piece, next: Piece): boolean {
  if (next.kind === 'tool_call') return false
  if (next.kind !== 'arguments') return first.kind === next.kind
  return (first.kind === 'arguments' || first.kind === 'tool_call') && first.index === next.index
}
