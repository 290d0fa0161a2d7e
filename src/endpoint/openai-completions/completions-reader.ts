import type { Message, TokenUsage } from '../../message/index.ts'
import type { EndpointRequest } from '../endpoint.ts'
import { errorText } from '../error-text.ts'
import { GrowingText } from '../growing-text.ts'
import { JsonResponseReader } from '../json-response-reader.ts'
import { excerpt, isObject, type JsonObject } from '../json-value.ts'
import { readUsage } from '../openai-chat/usage.ts'
import { isSteered, readCalls } from './steered-call.ts'

const WORDS = {
  withoutEnd: 'with neither finish_reason nor [DONE]',
  withoutOutput: 'no text',
  reason: 'finish_reason',
  list: 'choices',
}

/** Reads one response, streamed or whole: both go through the same fields. */
export class CompletionsReader extends JsonResponseReader {
  readonly #request: EndpointRequest
  readonly #inventId: () => string
  readonly #text = new GrowingText()
  usage: TokenUsage | null = null

  /**
   * @param request says whether the text is meant to be a tool call
   * @param inventId gives such a call its id
   */
  constructor(request: EndpointRequest, inventId: () => string) {
    super(WORDS)
    this.#request = request
    this.#inventId = inventId
  }

  protected get isEmpty(): boolean {
    return this.#text.isEmpty
  }

  protected message(): Message {
    const calls = isSteered(this.#request) ? readCalls(this.#text.toString(), this.#request.tools, this.#inventId) : undefined
    return { role: 'assistant', parts: calls ?? [{ type: 'text', text: this.#text.toString() }] }
  }

  protected readWhole(body: JsonObject): void {
    this.readObject(body)
  }

  protected readObject(chunk: JsonObject): void {
    if (isObject(chunk.error) || typeof chunk.error === 'string' || chunk.object === 'error') {
      this.fail('stream_error', errorText(chunk) ?? `an error without a message: ${excerpt(JSON.stringify(chunk))}`)
      return
    }
    this.noteModel(chunk.model)
    this.usage = readUsage(chunk.usage) ?? this.usage
    if (!Array.isArray(chunk.choices)) return
    // We ask for one choice; a further one would mix two answers.
    const choice = chunk.choices.find((each) => isObject(each) && !(typeof each.index === 'number' && each.index > 0))
    if (!isObject(choice)) return
    if (typeof choice.text === 'string' && choice.text !== '') {
      this.#text.add(choice.text)
      this.outputs++
    }
    const reason = choice.finish_reason
    if (typeof reason !== 'string' || reason === '') return
    this.finishReason = reason
    if (reason === 'error' || reason === 'abort') {
      this.fail('stream_error', `the server ended the generation with finish_reason '${reason}'`)
    }
  }
}
