import type { Message, TokenUsage } from '../../message/index.ts'
import type { EndpointRequest } from '../endpoint.ts'
import { errorText, errorTextOfBody } from '../error-text.ts'
import { excerpt, isObject, type JsonObject, parseJson } from '../json-value.ts'
import { readUsage } from '../openai-chat/usage.ts'
import type { ResponseFailure, ResponseOutcome, ResponseReader } from '../wire-api.ts'
import { isSteered, readCalls } from './steered-call.ts'

/** Reads one response, streamed or whole: both go through the same fields. */
export class CompletionsReader implements ResponseReader {
  readonly #request: EndpointRequest
  readonly #inventId: () => string
  #text = ''
  #finishReason = ''
  #whole = false
  outputs = 0
  done = false
  failure: ResponseFailure | undefined
  usage: TokenUsage | null = null
  servedModel: string | undefined

  /**
   * @param request says whether the text is meant to be a tool call
   * @param inventId gives such a call its id
   */
  constructor(request: EndpointRequest, inventId: () => string) {
    this.#request = request
    this.#inventId = inventId
  }

  takeKnown(): number {
    return -1
  }

  readEvent(data: string, name: string): void {
    if (this.done || this.failure !== undefined || data.trim() === '') return
    if (data.trim() === '[DONE]') {
      this.done = true
      return
    }
    const parsed = parseJson(data)
    if (name === 'error') {
      this.#fail('stream_error', errorText(parsed === undefined ? data : parsed.value) ?? 'an error event without a message')
    } else if (!isObject(parsed?.value)) {
      this.#fail('bad_response', `an event that is not a JSON object: ${excerpt(data)}`)
    } else this.#readChunk(parsed.value)
  }

  readBody(text: string): void {
    this.#whole = true
    const parsed = parseJson(text)
    if (!isObject(parsed?.value)) {
      this.#fail('bad_response', `the body is not a JSON object: ${errorTextOfBody(text)}`)
      return
    }
    this.#readChunk(parsed.value)
    if (!Array.isArray(parsed.value.choices)) this.#fail('bad_response', `the body has no \`choices\`: ${errorTextOfBody(text)}`)
  }

  finish(): ResponseOutcome {
    const failure = this.failure ?? this.#shortcoming()
    if (failure !== undefined) return { state: 'failed', failure }
    return { state: 'ok', message: this.#message(), finishReason: this.#finishReason || 'unknown' }
  }

  #message(): Message {
    const calls = isSteered(this.#request) ? readCalls(this.#text, this.#request.tools, this.#inventId) : undefined
    return { role: 'assistant', parts: calls ?? [{ type: 'text', text: this.#text }] }
  }

  #shortcoming(): ResponseFailure | undefined {
    if (!this.#whole && !this.done && this.#finishReason === '') {
      return { label: 'truncated', message: 'the stream ended with neither finish_reason nor [DONE]' }
    }
    if (this.#text !== '') return undefined
    const reason = this.#finishReason === '' ? 'none' : `'${this.#finishReason}'`
    return { label: 'empty_output', message: `the response holds no text (finish_reason ${reason})` }
  }

  #readChunk(chunk: JsonObject): void {
    if (isObject(chunk.error) || typeof chunk.error === 'string' || chunk.object === 'error') {
      this.#fail('stream_error', errorText(chunk) ?? `an error without a message: ${excerpt(JSON.stringify(chunk))}`)
      return
    }
    if (typeof chunk.model === 'string' && chunk.model !== '') this.servedModel = chunk.model
    this.usage = readUsage(chunk.usage) ?? this.usage
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined
    if (!isObject(choice)) return
    if (typeof choice.text === 'string' && choice.text !== '') {
      this.#text += choice.text
      this.outputs++
    }
    const reason = choice.finish_reason
    if (typeof reason !== 'string' || reason === '') return
    this.#finishReason = reason
    if (reason === 'error' || reason === 'abort') {
      this.#fail('stream_error', `the server ended the generation with finish_reason '${reason}'`)
    }
  }

  #fail(label: ResponseFailure['label'], message: string): void {
    this.failure ??= { label, message }
  }
}
