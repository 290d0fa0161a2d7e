import type { TokenUsage } from '../../message/index.ts'
import { errorText, errorTextOfBody } from '../error-text.ts'
import { excerpt, isObject, type JsonObject, objectOf, parseJson, textOf } from '../json-value.ts'
import { OutputParts } from '../output-parts.ts'
import type { ResponseFailure, ResponseOutcome, ResponseReader } from '../wire-api.ts'
import { MessagesUsage } from './usage.ts'

/** Reads one response, streamed or whole. */
export class MessagesReader implements ResponseReader {
  readonly #inventId: () => string
  readonly #parts = new OutputParts()
  readonly #usage = new MessagesUsage()
  #stopReason = ''
  #whole = false
  outputs = 0
  done = false
  failure: ResponseFailure | undefined
  servedModel: string | undefined

  /** @param inventId gives an id to a tool call that has none */
  constructor(inventId: () => string) {
    this.#inventId = inventId
  }

  get usage(): TokenUsage | null {
    return this.#usage.total
  }

  takeKnown(): number {
    return -1
  }

  readEvent(data: string, name: string): void {
    if (this.done || this.failure !== undefined || data.trim() === '') return
    const parsed = parseJson(data)
    if (name === 'error') {
      this.#fail('stream_error', errorText(parsed === undefined ? data : parsed.value) ?? 'an error event without a message')
    } else if (!isObject(parsed?.value)) {
      this.#fail('bad_response', `an event that is not a JSON object: ${excerpt(data)}`)
    } else this.#read(parsed.value)
  }

  readBody(text: string): void {
    this.#whole = true
    const parsed = parseJson(text)
    if (!isObject(parsed?.value)) {
      this.#fail('bad_response', `the body is not a JSON object: ${errorTextOfBody(text)}`)
    } else if (holdsError(parsed.value)) this.#read({ ...parsed.value, type: 'error' })
    else if (!Array.isArray(parsed.value.content)) {
      this.#fail('bad_response', `the body has no \`content\`: ${errorTextOfBody(text)}`)
    } else this.#readMessage(parsed.value)
  }

  finish(): ResponseOutcome {
    const failure = this.failure ?? this.#shortcoming()
    if (failure !== undefined) return { state: 'failed', failure }
    return { state: 'ok', message: this.#parts.message(this.#inventId), finishReason: this.#stopReason || 'unknown' }
  }

  #shortcoming(): ResponseFailure | undefined {
    if (!this.#whole && !this.done && this.#stopReason === '') {
      return { label: 'truncated', message: 'the stream ended with neither stop_reason nor message_stop' }
    }
    if (!this.#parts.isEmpty) return undefined
    const reason = this.#stopReason === '' ? 'none' : `'${this.#stopReason}'`
    return { label: 'empty_output', message: `the response holds no text, no thinking and no tool use (stop_reason ${reason})` }
  }

  #read(event: JsonObject): void {
    switch (event.type) {
      case 'message_start':
        this.#readMessage(objectOf(event.message))
        break
      case 'content_block_start':
        this.#note(this.#beginBlock(String(event.index), objectOf(event.content_block)))
        break
      case 'content_block_delta':
        this.#note(this.#addDelta(String(event.index), objectOf(event.delta)))
        break
      case 'message_delta':
        this.#noteStopReason(objectOf(event.delta))
        this.#usage.add(event.usage)
        break
      case 'message_stop':
        this.done = true
        break
      case 'error':
        this.#fail('stream_error', errorText(event.error) ?? `an error without a message: ${excerpt(JSON.stringify(event))}`)
        break
      default:
        // Pings, and what later versions add; some gateways send an error without a type.
        if (holdsError(event)) this.#fail('stream_error', errorText(event.error) ?? 'an error without a message')
    }
  }

  /** The whole of a response that is not streamed; the head of one that is. */
  #readMessage(message: JsonObject): void {
    if (typeof message.model === 'string' && message.model !== '') this.servedModel = message.model
    this.#usage.add(message.usage)
    this.#noteStopReason(message)
    const content: readonly unknown[] = Array.isArray(message.content) ? message.content : []
    let output = false
    for (const [index, block] of content.entries()) {
      if (this.#beginBlock(String(index), objectOf(block))) output = true
    }
    this.#note(output)
  }

  #beginBlock(place: string, block: JsonObject): boolean {
    switch (block.type) {
      case 'text':
        return this.#parts.add(place, 'text', textOf(block.text))
      case 'thinking':
        return this.#parts.add(place, 'reasoning', textOf(block.thinking))
      case 'tool_use':
        this.#parts.beginCall(place, textOf(block.id), textOf(block.name))
        // A stream begins it empty; a whole one may have no arguments at all.
        if (this.#whole || (isObject(block.input) && Object.keys(block.input).length > 0)) {
          this.#parts.add(place, 'tool_call', JSON.stringify(block.input ?? {}))
        }
        return true
      default:
        return false
    }
  }

  #addDelta(place: string, delta: JsonObject): boolean {
    switch (delta.type) {
      case 'text_delta':
        return this.#parts.add(place, 'text', textOf(delta.text))
      case 'thinking_delta':
        return this.#parts.add(place, 'reasoning', textOf(delta.thinking))
      case 'input_json_delta':
        return this.#parts.add(place, 'tool_call', textOf(delta.partial_json))
      default:
        return false
    }
  }

  #note(output: boolean): void {
    if (output) this.outputs++
  }

  #noteStopReason({ stop_reason: reason }: JsonObject): void {
    if (typeof reason === 'string' && reason !== '') this.#stopReason = reason
  }

  #fail(label: ResponseFailure['label'], message: string): void {
    this.failure ??= { label, message }
  }
}

function holdsError(value: JsonObject): boolean {
  return value.type === 'error' || isObject(value.error)
}
