import type { Message, Part, TokenUsage } from '../../message/index.ts'
import { ByteLiteral } from '../byte-literal.ts'
import { errorText } from '../error-text.ts'
import { GrowingText } from '../growing-text.ts'
import { JsonResponseReader } from '../json-response-reader.ts'
import { excerpt, isObject, type JsonObject, objectOf, textOf } from '../json-value.ts'
import type { ChunkMemory } from '../memory-of-chunks.ts'
import type { ChunkForm } from './chunk-form.ts'
import { isFailure, type TextPlace } from './chunk-meaning.ts'
import { readContentBlocks } from './content-text.ts'
import type { KnownChunks } from './known-chunks.ts'
import { ResponseChunks } from './response-chunks.ts'
import { ToolCallAssembly } from './tool-call-assembly.ts'
import { readUsage } from './usage.ts'

const WORDS = {
  withoutEnd: 'with neither finish_reason nor [DONE]',
  withoutOutput: 'no text, no reasoning and no tool call',
  reason: 'finish_reason',
  list: 'choices',
}
/** As most servers write it. */
const DONE_EVENT = ByteLiteral.ofLatin1('data: [DONE]\n\n')

/** Reads one response, streamed or whole: both go through the same fields. */
export class ChatReader extends JsonResponseReader {
  readonly #inventId: () => string
  readonly #known: ResponseChunks
  readonly #text = new GrowingText()
  readonly #reasoning = new GrowingText()
  #toolCalls: ToolCallAssembly | undefined
  usage: TokenUsage | null = null

  /**
   * @param inventId gives an id to a tool call that has none
   * @param known shared by the responses of a server, which learn from one another
   */
  constructor(inventId: () => string, known: KnownChunks) {
    super(WORDS)
    this.#inventId = inventId
    this.#known = new ResponseChunks(known)
  }

  override takeKnown(memory: ChunkMemory, start: number, limit: number): number {
    if (this.isOver) return -1
    const known = this.#known
    const next = known.findAlike(memory, start, limit)
    if (next !== -1) {
      this.#addStretch(known.form?.meaning.place, memory, known.textStart, known.textEnd)
      return next
    }
    const behindDone = DONE_EVENT.behind(memory, start, limit)
    if (behindDone !== -1) {
      this.done = true
      return behindDone
    }
    const end = known.find(memory, start, limit)
    if (end !== -1 && known.form !== undefined) this.#takeFound(known.form, memory)
    return end
  }

  #takeFound(form: ChunkForm, memory: ChunkMemory): void {
    const { meaning, textStart } = form
    this.noteModel(meaning.model)
    if (textStart !== -1) this.#addStretch(meaning.place, memory, textStart, form.textEnd)
    else this.#addText(meaning.place, form.text)
    if (meaning.finishReason !== undefined) this.finishReason = meaning.finishReason
    if (meaning.hasUsage) this.usage = form.usage ?? this.usage
  }

  protected get isEmpty(): boolean {
    return this.#text.isEmpty && this.#reasoning.isEmpty && (this.#toolCalls?.isEmpty ?? true)
  }

  protected message(): Message {
    const parts: Part[] = []
    if (!this.#reasoning.isEmpty) parts.push({ type: 'reasoning', text: this.#reasoning.toString() })
    if (!this.#text.isEmpty) parts.push({ type: 'text', text: this.#text.toString() })
    if (this.#toolCalls !== undefined) parts.push(...this.#toolCalls.parts(this.#inventId))
    return { role: 'assistant', parts }
  }

  protected readObject(chunk: JsonObject, data: string): void {
    this.readWhole(chunk)
    this.#known.learn(data, chunk)
  }

  /** Adds a text that stands in memory as it is. Hot path. */
  #addStretch(place: TextPlace | undefined, { bytes }: ChunkMemory, from: number, to: number): void {
    if (place === undefined || from === to) return
    if (place.field === 'arguments') {
      this.#addText(place, bytes.toString('latin1', from, to))
      return
    }
    this.outputs++
    if (place.field === 'content') this.#text.addLatin1(bytes, from, to)
    else this.#reasoning.addLatin1(bytes, from, to)
  }

  #addText(place: TextPlace | undefined, text: string): void {
    if (place === undefined || text === '') return
    this.outputs++
    if (place.field === 'content') this.#text.add(text)
    else if (place.field !== 'arguments') this.#reasoning.add(text)
    else this.#addToolCalls({ index: place.index, function: { arguments: text } })
  }

  protected readWhole(chunk: JsonObject): void {
    if (holdsError(chunk)) {
      this.fail('stream_error', errorText(chunk) ?? `an error without a message: ${excerpt(JSON.stringify(chunk))}`)
      return
    }
    this.noteModel(chunk.model)
    if (chunk.usage !== undefined && chunk.usage !== null) this.usage = readUsage(chunk.usage) ?? this.usage
    if (!Array.isArray(chunk.choices)) return
    let output = false
    for (const choice of chunk.choices) {
      // We ask for one choice; a further one would mix two answers.
      if (isObject(choice) && !(typeof choice.index === 'number' && choice.index > 0) && this.#readChoice(choice)) output = true
    }
    if (output) this.outputs++
  }

  #readChoice(choice: JsonObject): boolean {
    // A stream may close with the whole message, which we have by then.
    const source = choice.delta ?? (this.isEmpty ? choice.message : undefined)
    const output = isObject(source) && this.#readDelta(source)
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
      this.finishReason = choice.finish_reason
      if (isFailure(choice.finish_reason)) {
        this.fail(
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
        this.#text.add(content)
        output = true
      }
    } else if (content !== undefined && content !== null) {
      const blocks = readContentBlocks(content)
      this.#text.add(blocks.text)
      this.#reasoning.add(blocks.reasoning)
      output = blocks.text !== '' || blocks.reasoning !== ''
    }
    // Servers in the midst of renaming send both fields with the same text.
    const reasoning = textOf(delta.reasoning_content) || textOf(delta.reasoning)
    if (reasoning !== '') {
      this.#reasoning.add(reasoning)
      output = true
    }
    if (typeof delta.refusal === 'string' && delta.refusal !== '') {
      this.#text.add(delta.refusal)
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
}

function holdsError(chunk: JsonObject): boolean {
  const { error } = chunk
  return (error !== undefined && error !== null && error !== false && error !== '') || chunk.object === 'error'
}
