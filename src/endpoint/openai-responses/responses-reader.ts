import type { TokenUsage } from '../../message/index.ts'
import { errorText, errorTextOfBody } from '../error-text.ts'
import { excerpt, isObject, type JsonObject, objectOf, parseJson, textOf } from '../json-value.ts'
import { readUsage } from '../openai-chat/usage.ts'
import { OutputParts } from '../output-parts.ts'
import type { ResponseFailure, ResponseOutcome, ResponseReader } from '../wire-api.ts'

/** Reads one response, streamed or whole. */
export class ResponsesReader implements ResponseReader {
  readonly #inventId: () => string
  readonly #parts = new OutputParts()
  #finishReason = ''
  #whole = false
  outputs = 0
  done = false
  failure: ResponseFailure | undefined
  usage: TokenUsage | null = null
  servedModel: string | undefined

  /** @param inventId gives an id to a tool call that has none */
  constructor(inventId: () => string) {
    this.#inventId = inventId
  }

  takeKnown(): number {
    return -1
  }

  readEvent(data: string, name: string): void {
    if (this.done || this.failure !== undefined || data.trim() === '') return
    // Some servers close the stream as that of the older API.
    if (data.trim() === '[DONE]') {
      this.done = true
      return
    }
    const parsed = parseJson(data)
    if (name === 'error') {
      this.#fail('stream_error', errorText(parsed === undefined ? data : parsed.value) ?? 'an error event without a message')
    } else if (!isObject(parsed?.value)) {
      this.#fail('bad_response', `an event that is not a JSON object: ${excerpt(data)}`)
    } else if (this.#read(parsed.value)) this.outputs++
  }

  readBody(text: string): void {
    this.#whole = true
    const parsed = parseJson(text)
    if (!isObject(parsed?.value)) {
      this.#fail('bad_response', `the body is not a JSON object: ${errorTextOfBody(text)}`)
      return
    }
    if (this.#readResponse(parsed.value)) this.outputs++
    if (!Array.isArray(parsed.value.output)) this.#fail('bad_response', `the body has no \`output\`: ${errorTextOfBody(text)}`)
  }

  finish(): ResponseOutcome {
    const failure = this.failure ?? this.#shortcoming()
    if (failure !== undefined) return { state: 'failed', failure }
    return { state: 'ok', message: this.#parts.message(this.#inventId), finishReason: this.#finishReason || 'unknown' }
  }

  #shortcoming(): ResponseFailure | undefined {
    if (!this.#whole && !this.done) return { label: 'truncated', message: 'the stream ended without response.completed' }
    if (!this.#parts.isEmpty) return undefined
    const reason = this.#finishReason === '' ? 'none' : `'${this.#finishReason}'`
    return { label: 'empty_output', message: `the response holds no text, no reasoning and no function call (status ${reason})` }
  }

  /** `true` when the event carried output. */
  #read(event: JsonObject): boolean {
    const place = String(event.output_index ?? event.item_id)
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return this.#parts.add(place, 'text', textOf(event.delta))
      case 'response.reasoning_text.delta':
      case 'response.reasoning_summary_text.delta':
        return this.#parts.add(place, 'reasoning', textOf(event.delta))
      case 'response.function_call_arguments.delta':
        return this.#parts.add(place, 'tool_call', textOf(event.delta))
      case 'response.output_item.added':
        return this.#readItem(place, objectOf(event.item), false)
      case 'response.output_item.done':
        return this.#readItem(place, objectOf(event.item), true)
      case 'response.created':
      case 'response.in_progress':
        this.#noteModel(objectOf(event.response))
        return false
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed': {
        const output = this.#readResponse(objectOf(event.response))
        this.done = this.failure === undefined
        return output
      }
      case 'error':
        this.#fail('stream_error', errorText(event) ?? 'an error event without a message')
        return false
      default:
        if (isObject(event.error)) this.#fail('stream_error', errorText(event.error) ?? 'an error without a message')
        return false
    }
  }

  /** The whole of a response: all that counts when it is not streamed, what the stream has not told when it is. */
  #readResponse(response: JsonObject): boolean {
    this.#noteModel(response)
    this.usage = readUsage(response.usage) ?? this.usage
    const status = textOf(response.status)
    if (isObject(response.error) || status === 'failed') {
      this.#fail('stream_error', errorText(response.error) ?? `the server ended the response with status '${status}'`)
      return false
    }
    this.#finishReason = textOf(objectOf(response.incomplete_details).reason) || status
    if (!this.#parts.isEmpty) return false
    const items: readonly unknown[] = Array.isArray(response.output) ? response.output : []
    let output = false
    for (const [index, item] of items.entries()) if (this.#readItem(String(index), objectOf(item), true)) output = true
    return output
  }

  /** @param whole the item is done: it holds all that its deltas told, or would have */
  #readItem(place: string, item: JsonObject, whole: boolean): boolean {
    if (item.type === 'function_call') {
      const isNew = !this.#parts.has(place)
      if (isNew) this.#parts.beginCall(place, textOf(item.call_id) || textOf(item.id), textOf(item.name))
      const untold = isNew || this.#parts.textAt(place) === ''
      return (untold && this.#parts.add(place, 'tool_call', textOf(item.arguments))) || isNew
    }
    if (!whole || this.#parts.textAt(place) !== '') return false
    if (item.type === 'message') return this.#parts.add(place, 'text', blockTexts(item.content))
    if (item.type === 'reasoning') {
      return this.#parts.add(place, 'reasoning', blockTexts(item.content) || blockTexts(item.summary))
    }
    return false
  }

  #noteModel({ model }: JsonObject): void {
    if (typeof model === 'string' && model !== '') this.servedModel = model
  }

  #fail(label: ResponseFailure['label'], message: string): void {
    this.failure ??= { label, message }
  }
}

/** Of `output_text`, `refusal`, `reasoning_text` and `summary_text` blocks. */
function blockTexts(blocks: unknown): string {
  if (!Array.isArray(blocks)) return ''
  return blocks.map((block) => textOf(objectOf(block).text) || textOf(objectOf(block).refusal)).join('')
}
