import type { Message, TokenUsage } from '../message/index.ts'
import { errorText, errorTextOfBody } from './error-text.ts'
import { excerpt, isObject, type JsonObject, parseJson } from './json-value.ts'
import type { ChunkMemory } from './memory-of-chunks.ts'
import type { ResponseFailure, ResponseOutcome, ResponseReader } from './wire-api.ts'

/** How an API's parts are called, for what failures say. */
export interface ApiWords {
  /** What a complete stream ends with: `neither finish_reason nor [DONE]`. */
  readonly withoutEnd: string
  /** What a response may hold: `no text, no reasoning and no tool call`. */
  readonly withoutOutput: string
  /** The field that says why the model stopped. */
  readonly reason: string
  /** The list without which a body is no response. */
  readonly list: string
}

/** What reading has in common in all APIs: events and bodies are JSON objects, and a response has to hold something. */
export abstract class JsonResponseReader implements ResponseReader {
  outputs = 0
  done = false
  failure: ResponseFailure | undefined
  servedModel: string | undefined
  /** Why the model stopped; empty until the response says it. */
  protected finishReason = ''
  /** It came as one body. */
  protected isWhole = false
  readonly #words: ApiWords

  protected constructor(words: ApiWords) {
    this.#words = words
  }

  abstract get usage(): TokenUsage | null
  protected abstract get isEmpty(): boolean
  protected abstract message(): Message
  /** @param data what the object was parsed from */
  protected abstract readObject(object: JsonObject, data: string): void
  protected abstract readWhole(object: JsonObject): void

  takeKnown(_memory: ChunkMemory, _start: number, _limit: number): number {
    return -1
  }

  readEvent(data: string, name: string): void {
    if (this.isOver) return
    if (data.length < 16) {
      const word = data.trim()
      if (word === '') return
      // The oldest API's end, with which some servers close the streams of the others, too.
      if (word === '[DONE]') {
        this.done = true
        return
      }
    }
    const parsed = parseJson(data)
    if (name === 'error') {
      this.fail('stream_error', errorText(parsed === undefined ? data : parsed.value) ?? 'an error event without a message')
    } else if (!isObject(parsed?.value)) {
      this.fail('bad_response', `an event that is not a JSON object: ${excerpt(data)}`)
    } else this.readObject(parsed.value, data)
  }

  readBody(text: string): void {
    this.isWhole = true
    const parsed = parseJson(text)
    if (!isObject(parsed?.value)) {
      this.fail('bad_response', `the body is not a JSON object: ${errorTextOfBody(text)}`)
      return
    }
    this.readWhole(parsed.value)
    const { list } = this.#words
    if (!Array.isArray(parsed.value[list])) this.fail('bad_response', `the body has no \`${list}\`: ${errorTextOfBody(text)}`)
  }

  finish(): ResponseOutcome {
    const failure = this.failure ?? this.#shortcoming()
    if (failure !== undefined) return { state: 'failed', failure }
    return { state: 'ok', message: this.message(), finishReason: this.finishReason || 'unknown' }
  }

  /** Nothing that comes now matters. */
  protected get isOver(): boolean {
    return this.done || this.failure !== undefined
  }

  protected noteModel(model: unknown): void {
    if (this.servedModel === undefined && typeof model === 'string' && model !== '') this.servedModel = model
  }

  protected fail(label: ResponseFailure['label'], message: string): void {
    this.failure ??= { label, message }
  }

  #shortcoming(): ResponseFailure | undefined {
    const { withoutEnd, withoutOutput, reason } = this.#words
    if (!this.isWhole && !this.done && this.finishReason === '') {
      return { label: 'truncated', message: `the stream ended ${withoutEnd}` }
    }
    if (!this.isEmpty) return undefined
    const given = this.finishReason === '' ? 'none' : `'${this.finishReason}'`
    return { label: 'empty_output', message: `the response holds ${withoutOutput} (${reason} ${given})` }
  }
}
