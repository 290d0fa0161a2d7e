import type { ApiError } from './api-error.ts'
import type { JsonObject } from './body-fields.ts'
import type { FinishReason, Piece } from './generation.ts'
import type { GenerationRequest } from './generation-request.ts'

/** One API the model can be asked by: how a body is read, and how an answer is written. */
export interface ApiFormat {
  readonly path: string
  /** Ids of its responses start so. */
  readonly idPrefix: string
  /** The body of a refusal. */
  errorBody(error: ApiError): Record<string, unknown>
  /** @throws {ApiError} 400 that names the place */
  readRequest(body: JsonObject, blockTokens: number): GenerationRequest
  stream(head: ResponseHead): StreamEncoder
  /** The body of an answer that is not streamed. */
  whole(head: ResponseHead, pieces: readonly Piece[], closing: Closing): string
}

/** What a response says of itself. */
export interface ResponseHead {
  readonly id: string
  /** Unix time in seconds. */
  readonly created: number
  readonly model: string
  readonly reasoningField: 'reasoning' | 'reasoning_content'
}

/** Writes the events of one streamed answer, as text for the wire. */
export interface StreamEncoder {
  /** Before all output; `null` where a fault leaves the usage out. */
  opening(prompt: PromptUsage | null): string
  /** One chunk for the pieces: of one kind, and of one tool call. */
  chunk(pieces: readonly [Piece, ...Piece[]]): string
  closing(closing: Closing): string
  /** An error in the midst of the stream, which then ends. */
  error(message: string): string
}

/** What is said at the end; faults leave parts out. */
export interface Closing {
  readonly finishReason: FinishReason | null
  readonly usage: ResponseUsage | null
  /** The mark of a stream's end. */
  readonly done: boolean
}

export interface PromptUsage {
  readonly promptTokens: number
  readonly cachedTokens: number
}

export interface ResponseUsage extends PromptUsage {
  readonly completionTokens: number
  readonly reasoningTokens: number
}
