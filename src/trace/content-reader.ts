import {
  type Interner,
  isJsonObject,
  type JsonObject,
  type Message,
  type MessageProblem,
  type Role,
  readMessages,
  readTools,
  type ToolDefinition,
} from '../message/index.ts'
import { describeValue } from './describe-value.ts'
import { EmbeddedHistory, type EmbeddedList } from './embedded-history.ts'
import { HistoryReader } from './history-reader.ts'
import { findJsonFault } from './json-fault.ts'
import { outputEntries } from './output-entries.ts'
import { beginningOf, findShared, type SharedText, type SharedTexts } from './shared-texts.ts'
import type { Span } from './span.ts'
import { spanKey } from './span-tree.ts'
import { type Turn, TurnHistory } from './turn-history.ts'

/** Content of a span that cannot be read. `where` names the attribute. */
export class UnreadableContent extends Error {
  readonly where: string

  constructor(where: string, message: string) {
    super(message)
    this.where = where
  }
}

/** Receives what was repaired, ignored or read with a loss; `code` is stable, kebab-case. */
export type Note = (code: string, message: string) => void

export interface RequestOptions {
  readonly plain?: boolean
  readonly isMessage?: (entry: JsonObject) => boolean
}

/** What dialects read content with. It shares equal messages and remembers histories: one per file. */
export class ContentReader {
  readonly #interner: Interner
  #note: Note
  readonly #spans: ReadonlyMap<string, Span>
  readonly #texts: readonly SharedTexts[]
  readonly #history: HistoryReader
  readonly #embedded: EmbeddedHistory
  readonly #turns = new TurnHistory()
  /** Lists that came out of `request`: what they hold may have been read before, and not be in them. */
  readonly #lists = new WeakMap<object, readonly Message[]>()
  readonly #found = new Map<RegExp, Map<SharedText, boolean>>()
  #tools: { text: string; tools: readonly ToolDefinition[] }[] = []

  /**
   * @param spans of the file, by `spanKey`
   * @param texts the long texts of its documents, where they were told apart
   */
  constructor(interner: Interner, spans: ReadonlyMap<string, Span>, note: Note, texts: readonly SharedTexts[] = []) {
    this.#interner = interner
    this.#texts = texts
    this.#history = new HistoryReader(texts)
    this.#embedded = new EmbeddedHistory(texts)
    this.#spans = spans
    this.#note = note
  }

  note(code: string, message: string): void {
    this.#note(code, message)
  }

  /** Reads, but keeps to itself what there is to note about it: of several readings, one will count. */
  withheld<Value>(read: () => Value): { readonly value: Value; readonly tell: () => void } {
    const note = this.#note
    const notes: Parameters<Note>[] = []
    this.#note = (...heard) => notes.push(heard)
    try {
      const value = read()
      return { value, tell: () => notes.forEach((heard) => void note(...heard)) }
    } finally {
      this.#note = note
    }
  }

  /** The span around this one, where the same file holds it. */
  parentOf(span: Span): Span | undefined {
    return this.#spans.get(spanKey({ traceId: span.traceId, id: span.parentId }))
  }

  message(role: Role, parts: Message['parts']): Message {
    return this.#interner.message(role, parts)
  }

  /**
   * The messages in a value: a list or a single one, structured or as JSON text. Text that is no JSON is a message by itself.
   *
   * @param where names the attribute, for errors
   * @param role of text and blocks that stand there without a message around them
   * @throws {UnreadableContent} for broken JSON
   */
  messages(value: unknown, where: string, role: Role = 'user'): readonly Message[] {
    if (value === undefined || value === null) return []
    const known = typeof value === 'object' ? this.#lists.get(value) : undefined
    if (known !== undefined) return known
    if (typeof value !== 'string' || !/^\s*\[/.test(this.beginningOf(value))) return this.#read(this.data(value, where), role)
    try {
      return this.#history.read(value, (list) => this.#read(JSON.parse(list), role))
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return this.#read(this.data(value, where), role)
    }
  }

  /** The first characters of a text that may be long: a look inside would put together what it shares with others. */
  beginningOf(text: string): string {
    const shared = findShared(this.#texts, text)
    return shared === undefined ? text.slice(0, 100) : beginningOf(shared, 100)
  }

  /**
   * Whether something stands somewhere in a text. What the text has in common with an earlier one is not searched again, nor
   * across the seam, which is behind a closing brace.
   *
   * @param pattern matches nothing with a closing brace in it but at its end
   */
  holds(text: string, pattern: RegExp): boolean {
    const shared = findShared(this.#texts, text)
    if (shared === undefined) return pattern.test(text)
    const known = this.#found.get(pattern) ?? new Map<SharedText, boolean>()
    this.#found.set(pattern, known)
    const unknown: SharedText[] = []
    for (let next: SharedText | undefined = shared; next !== undefined && !known.has(next); next = next.base) unknown.push(next)
    for (const next of unknown.reverse()) {
      known.set(next, (next.base !== undefined && known.get(next.base) === true) || pattern.test(next.rest))
    }
    return known.get(shared) === true
  }

  /**
   * The messages of a history that is recorded one by one. What an earlier history begins with, too, is not read again.
   *
   * @param read makes a message of what is not known yet; by default the content is blocks, or JSON text of them
   * @throws {UnreadableContent} for broken JSON
   */
  turns(
    turns: readonly Turn[],
    where: string,
    read: (turn: Turn) => unknown = ({ role, content }) => ({ role, content: this.data(content, where) }),
  ): readonly Message[] {
    return this.#turns.read(turns, (turn) => this.#read([read(turn)], 'user'))
  }

  /**
   * The output in a value: a message, a list of them (parts of one turn, or alternatives, of which the first counts), a provider's
   * response, or text.
   *
   * @param plain the attribute holds the model's text as often as data
   * @throws {UnreadableContent} for broken JSON
   */
  output(value: unknown, where: string, plain = false): Message | null {
    if (value === undefined || value === null) return null
    const data = plain ? this.dataOrText(value, where) : this.data(value, where)
    const entries = outputEntries(data) ?? [typeof value === 'string' ? value : JSON.stringify(value)]
    const turns = this.#read(entries, 'assistant').filter(({ role }) => role !== 'tool')
    const isText = ({ parts }: Message) => parts.some(({ type }) => type === 'text')
    const alternatives = turns.filter(isText).length > 1
    if (alternatives) this.note('several-choices', 'Took the first of several alternative outputs.')
    const parts = (alternatives ? turns.slice(0, 1) : turns).flatMap((turn) => turn.parts)
    return parts.length === 0 ? null : this.message('assistant', parts)
  }

  #read(value: unknown, role: Role): readonly Message[] {
    return readMessages(value, { interner: this.#interner, report: this.#report }, role)
  }

  readonly #report = ({ code, message }: MessageProblem) => this.#note(code, message)

  /**
   * Tool definitions, structured or as JSON text.
   *
   * @throws {UnreadableContent} for broken JSON
   */
  tools(value: unknown, where: string): readonly ToolDefinition[] {
    if (value === undefined || value === null) return []
    if (typeof value !== 'string') return this.#readTools(value)
    // Compared one by one, not looked up: V8 would hash long texts by their length.
    const known = this.#tools.find(({ text }) => text === value)
    if (known !== undefined) return known.tools
    const tools = this.#readTools(this.data(value, where))
    // Calls of one agent repeat their tools; a file has few agents.
    this.#tools = [{ text: value, tools }, ...this.#tools.slice(0, 15)]
    return tools
  }

  #readTools(value: unknown): readonly ToolDefinition[] {
    return readTools(value, (entry) =>
      this.#note('unknown-tool-definition', `Left out a tool definition that names no function: ${describeValue(entry)}.`),
    )
  }

  /**
   * As {@link data}, for JSON text that holds the conversation of a request somewhere. The list of messages in it is good for
   * nothing but {@link messages}: what an earlier call had in it is not parsed again.
   *
   * @param options `plain`: the attribute may hold plain text, as in {@link dataOrText}. `isMessage`: which entries of the list
   * are messages, all of them if not given
   * @throws {UnreadableContent} for broken JSON
   */
  request(value: unknown, where: string, { plain = false, isMessage }: RequestOptions = {}): unknown {
    const embedded = this.#embeddedIn(value, (entry) => (isMessage?.(entry) === false ? [] : this.#read(entry, 'user')))
    if (embedded !== undefined) {
      this.#lists.set(embedded.list, embedded.messages)
      return embedded.value
    }
    const data = plain ? this.dataOrText(value, where) : this.data(value, where)
    if (Array.isArray(data) && isMessage !== undefined) {
      const messages = data.filter((entry) => !isJsonObject(entry) || isMessage(entry))
      this.#lists.set(data, this.#read(messages, 'user'))
    }
    return data
  }

  #embeddedIn(value: unknown, read: (entry: JsonObject) => readonly Message[]): EmbeddedList | undefined {
    try {
      return typeof value === 'string' ? this.#embedded.read(value, read) : undefined
    } catch (error) {
      if (error instanceof SyntaxError) return undefined
      throw error
    }
  }

  /**
   * The data in a value of an attribute that holds JSON; text that does not even begin like data comes back as text.
   *
   * @throws {UnreadableContent} for broken JSON
   */
  data(value: unknown, where: string): unknown {
    return this.#parsed(value, where, () => true)
  }

  /**
   * The same for an attribute that holds data or plain text: a model may write text that only looks like JSON.
   *
   * @throws {UnreadableContent} for JSON that is cut off
   */
  dataOrText(value: unknown, where: string): unknown {
    return this.#parsed(value, where, (text) => findJsonFault(text).cutOff)
  }

  #parsed(value: unknown, where: string, isBroken: (text: string) => boolean): unknown {
    if (typeof value !== 'string' || !/^\s*[[{]/.test(this.beginningOf(value))) return value
    try {
      return JSON.parse(value)
    } catch {
      if (BEGINS_AS_DATA.test(value) && isBroken(value)) throw brokenJson(value, where)
      return value
    }
  }
}

/** People write `[1]` and `{name}`; recorders `[{"` and `{"`, or less when it is cut off. */
const BEGINS_AS_DATA = /^\s*(?:\[\s*)?(?:\{\s*(?:"|$)|$)/

function brokenJson(text: string, where: string): UnreadableContent {
  const { offset, cutOff } = findJsonFault(text)
  if (cutOff) {
    return new UnreadableContent(
      where,
      `The JSON is cut off after ${text.length} characters: likely a limit on the length of attribute values when the trace was recorded (OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT). Raise the limit and record again.`,
    )
  }
  const found = JSON.stringify(text.slice(offset, offset + 20))
  return new UnreadableContent(where, `Not JSON: unexpected ${found} at character ${offset} of ${text.length}.`)
}
