import type { Part, TokenUsage } from '../../message/index.ts'
import { errorText, errorTextOfBody } from '../error-text.ts'
import { excerpt, isObject, type JsonObject, objectOf, parseJson, textOf } from '../json-value.ts'
import type { ResponseFailure, ResponseOutcome, ResponseReader } from '../wire-api.ts'
import { isFailure, type TextPlace } from './chunk-meaning.ts'
import { readContentBlocks } from './content-text.ts'
import type { KnownChunks } from './known-chunks.ts'
import { ResponseChunks } from './response-chunks.ts'
import { ToolCallAssembly } from './tool-call-assembly.ts'
import { readUsage } from './usage.ts'

/** As most servers write it. */
const DONE_EVENT = 'data: [DONE]\n\n'

/** Reads one response, streamed or whole: both go through the same fields. */
export class ChatReader implements ResponseReader {
  readonly #inventId: () => string
  readonly #known: ResponseChunks
  #text = ''
  #reasoning = ''
  #toolCalls: ToolCallAssembly | undefined
  #finishReason = ''
  #whole = false
  outputs = 0
  done = false
  failure: ResponseFailure | undefined
  usage: TokenUsage | null = null
  servedModel: string | undefined

  /**
   * @param inventId gives an id to a tool call that has none
   * @param known shared by the responses of a server, which learn from one another
   */
  constructor(inventId: () => string, known: KnownChunks) {
    this.#inventId = inventId
    this.#known = new ResponseChunks(known)
  }

  takeKnown(latin1: string, start: number, limit: number): number {
    if (this.#isOver) return -1
    let next = this.#known.findAlike(latin1, start, limit)
    if (next === -1 && latin1.startsWith(DONE_EVENT, start) && start + DONE_EVENT.length <= limit) {
      this.done = true
      return start + DONE_EVENT.length
    }
    if (next === -1) next = this.#known.find(latin1, start, limit)
    if (next !== -1) this.#takeFound(this.#known)
    return next
  }

  #takeFound(found: ResponseChunks): void {
    const { meaning, text } = found
    if (meaning === undefined) return
    this.#noteModel(meaning.model)
    if (meaning.place !== undefined) this.#addText(meaning.place, text)
    if (meaning.finishReason !== undefined) this.#finishReason = meaning.finishReason
    if (meaning.hasUsage) this.usage = found.usage ?? this.usage
  }

  readEvent(data: string, name: string): void {
    if (this.#isOver) return
    if (data.length < 16) {
      const word = data.trim()
      if (word === '') return
      if (word === '[DONE]') {
        this.done = true
        return
      }
    }
    const parsed = parseJson(data)
    if (name === 'error') {
      this.#fail('stream_error', errorText(parsed === undefined ? data : parsed.value) ?? 'an error event without a message')
    } else if (!isObject(parsed?.value)) {
      this.#fail('bad_response', `an event that is not a JSON object: ${excerpt(data)}`)
    } else {
      this.#readChunk(parsed.value)
      this.#known.learn(data, parsed.value)
    }
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
    const parts: Part[] = []
    if (this.#reasoning !== '') parts.push({ type: 'reasoning', text: this.#reasoning })
    if (this.#text !== '') parts.push({ type: 'text', text: this.#text })
    if (this.#toolCalls !== undefined) parts.push(...this.#toolCalls.parts(this.#inventId))
    return { state: 'ok', message: { role: 'assistant', parts }, finishReason: this.#finishReason || 'unknown' }
  }

  #shortcoming(): ResponseFailure | undefined {
    if (!this.#whole && !this.done && this.#finishReason === '') {
      return { label: 'truncated', message: 'the stream ended with neither finish_reason nor [DONE]' }
    }
    if (this.#isEmpty) {
      const reason = this.#finishReason === '' ? 'none' : `'${this.#finishReason}'`
      return {
        label: 'empty_output',
        message: `the response holds no text, no reasoning and no tool call (finish_reason ${reason})`,
      }
    }
    return undefined
  }

  #addText(place: TextPlace, text: string): void {
    if (place.field === 'arguments') this.#addToolCalls({ index: place.index, function: { arguments: text } })
    else if (place.field === 'content') this.#text += text
    else this.#reasoning += text
    if (text !== '') this.outputs++
  }

  #readChunk(chunk: JsonObject): void {
    if (holdsError(chunk)) {
      this.#fail('stream_error', errorText(chunk) ?? `an error without a message: ${excerpt(JSON.stringify(chunk))}`)
      return
    }
    this.#noteModel(chunk.model)
    if (chunk.usage !== undefined && chunk.usage !== null) this.usage = readUsage(chunk.usage) ?? this.usage
    if (!Array.isArray(chunk.choices)) return
    let output = false
    for (const choice of chunk.choices) {
      // We ask for one choice; a further one would mix two answers.
      if (isObject(choice) && !(typeof choice.index === 'number' && choice.index > 0) && this.#readChoice(choice)) output = true
    }
    if (output) this.outputs++
  }

  #noteModel(model: unknown): void {
    if (this.servedModel === undefined && typeof model === 'string' && model !== '') this.servedModel = model
  }

  #readChoice(choice: JsonObject): boolean {
    // A stream may close with the whole message, which we have by then.
    const source = choice.delta ?? (this.#isEmpty ? choice.message : undefined)
    const output = isObject(source) && this.#readDelta(source)
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
      this.#finishReason = choice.finish_reason
      if (isFailure(choice.finish_reason)) {
        this.#fail(
          'stream_error',
          errorText(objectOf(choice.error)) ?? `the server ended the generation with finish_reason '${choice.finish_reason}'`,
        )
      }
    }
    return output
  }

  #readDelta(delta: JsonObject): boolean {
    let output = false
    const content = delta.content
    if (typeof content === 'string') {
      if (content !== '') {
        this.#text += content
        output = true
      }
    } else if (content !== undefined && content !== null) {
      const blocks = readContentBlocks(content)
      this.#text += blocks.text
      this.#reasoning += blocks.reasoning
      output = blocks.text !== '' || blocks.reasoning !== ''
    }
    // Servers in the midst of renaming send both fields with the same text.
    const reasoning = textOf(delta.reasoning_content) || textOf(delta.reasoning)
    if (reasoning !== '') {
      this.#reasoning += reasoning
      output = true
    }
    if (typeof delta.refusal === 'string' && delta.refusal !== '') {
      this.#text += delta.refusal
      output = true
    }
    if (delta.tool_calls !== undefined && delta.tool_calls !== null && this.#addToolCalls(delta.tool_calls)) output = true
    if (isObject(delta.function_call) && this.#addToolCalls({ index: -1, function: delta.function_call })) output = true
    return output
  }

  #addToolCalls(value: unknown): boolean {
    this.#toolCalls ??= new ToolCallAssembly()
    return this.#toolCalls.add(value)
  }

  get #isEmpty(): boolean {
    return this.#text === '' && this.#reasoning === '' && (this.#toolCalls?.isEmpty ?? true)
  }

  /** Nothing that comes now matters. */
  get #isOver(): boolean {
    return this.done || this.failure !== undefined
  }

  #fail(label: ResponseFailure['label'], message: string): void {
    this.failure ??= { label, message }
  }
}

function holdsError(chunk: JsonObject): boolean {
  const { error } = chunk
  return (error !== undefined && error !== null && error !== false && error !== '') || chunk.object === 'error'
}
