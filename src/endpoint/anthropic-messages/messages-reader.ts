import type { Message, TokenUsage } from '../../message/index.ts'
import { errorText } from '../error-text.ts'
import { JsonResponseReader } from '../json-response-reader.ts'
import { excerpt, isObject, type JsonObject, objectOf, textOf } from '../json-value.ts'
import { OutputParts } from '../output-parts.ts'
import { MessagesUsage } from './usage.ts'

const WORDS = {
  withoutEnd: 'with neither stop_reason nor message_stop',
  withoutOutput: 'no text, no thinking and no tool use',
  reason: 'stop_reason',
  list: 'content',
}

/** Reads one response, streamed or whole. */
export class MessagesReader extends JsonResponseReader {
  readonly #inventId: () => string
  readonly #parts = new OutputParts()
  readonly #usage = new MessagesUsage()

  /** @param inventId gives an id to a tool call that has none */
  constructor(inventId: () => string) {
    super(WORDS)
    this.#inventId = inventId
  }

  get usage(): TokenUsage | null {
    return this.#usage.total
  }

  protected get isEmpty(): boolean {
    return this.#parts.isEmpty
  }

  protected message(): Message {
    return this.#parts.message(this.#inventId)
  }

  protected readWhole(body: JsonObject): void {
    if (holdsError(body)) this.readObject({ ...body, type: 'error' })
    else this.#readMessage(body)
  }

  protected readObject(event: JsonObject): void {
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
        this.fail('stream_error', errorText(event.error) ?? `an error without a message: ${excerpt(JSON.stringify(event))}`)
        break
      default:
        // Pings, and what later versions add; some gateways send an error without a type.
        if (holdsError(event)) this.fail('stream_error', errorText(event.error) ?? 'an error without a message')
    }
  }

  /** The whole of a response that is not streamed; the head of one that is. */
  #readMessage(message: JsonObject): void {
    this.noteModel(message.model)
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
        if (this.isWhole || (isObject(block.input) && Object.keys(block.input).length > 0)) {
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
    if (typeof reason === 'string' && reason !== '') this.finishReason = reason
  }
}

function holdsError(value: JsonObject): boolean {
  return value.type === 'error' || isObject(value.error)
}
