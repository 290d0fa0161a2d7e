import type { Message, TokenUsage } from '../../message/index.ts'
import { errorText } from '../error-text.ts'
import { JsonResponseReader } from '../json-response-reader.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../json-value.ts'
import { readUsage } from '../openai-chat/usage.ts'
import { OutputParts } from '../output-parts.ts'

const WORDS = {
  withoutEnd: 'without response.completed',
  withoutOutput: 'no text, no reasoning and no function call',
  reason: 'status',
  list: 'output',
}

/** Reads one response, streamed or whole. */
export class ResponsesReader extends JsonResponseReader {
  readonly #inventId: () => string
  readonly #parts = new OutputParts()
  usage: TokenUsage | null = null

  /** @param inventId gives an id to a tool call that has none */
  constructor(inventId: () => string) {
    super(WORDS)
    this.#inventId = inventId
  }

  protected get isEmpty(): boolean {
    return this.#parts.isEmpty
  }

  protected message(): Message {
    return this.#parts.message(this.#inventId)
  }

  protected readWhole(body: JsonObject): void {
    if (this.#readResponse(body)) this.outputs++
  }

  protected readObject(event: JsonObject): void {
    if (this.#read(event)) this.outputs++
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
        this.noteModel(objectOf(event.response).model)
        return false
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed': {
        const output = this.#readResponse(objectOf(event.response))
        this.done = this.failure === undefined
        return output
      }
      case 'error':
        this.fail('stream_error', errorText(event) ?? 'an error event without a message')
        return false
      default:
        if (isObject(event.error)) this.fail('stream_error', errorText(event.error) ?? 'an error without a message')
        return false
    }
  }

  /** The whole of a response: all that counts when it is not streamed, what the stream has not told when it is. */
  #readResponse(response: JsonObject): boolean {
    this.noteModel(response.model)
    this.usage = readUsage(response.usage) ?? this.usage
    const status = textOf(response.status)
    if (isObject(response.error) || status === 'failed') {
      this.fail('stream_error', errorText(response.error) ?? `the server ended the response with status '${status}'`)
      return false
    }
    this.finishReason = textOf(objectOf(response.incomplete_details).reason) || status
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
}

/** Of `output_text`, `refusal`, `reasoning_text` and `summary_text` blocks. */
function blockTexts(blocks: unknown): string {
  if (!Array.isArray(blocks)) return ''
  return blocks.map((block) => textOf(objectOf(block).text) || textOf(objectOf(block).refusal)).join('')
}
