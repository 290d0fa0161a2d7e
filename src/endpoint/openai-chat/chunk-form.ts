import type { TokenUsage } from '../../message/index.ts'
import { ByteLiteral } from '../byte-literal.ts'
import { type JsonObject, parseJson } from '../json-value.ts'
import type { ChunkMemory } from '../memory-of-chunks.ts'
import type { KnownChunk } from './chunk-meaning.ts'
import { endOfPlainText, endOfString, endOfWholeNumber } from './json-scan.ts'
import { readUsage } from './usage.ts'

/** What stands between two literals: the text a chunk is there for, another plain text, a number, or a count of tokens. */
type Slot = 'text' | 'label' | 'number' | 'count'

/** A part of a chunk's JSON that another chunk of its form may have differently. */
interface Stretch {
  readonly slot: Slot
  readonly start: number
  readonly end: number
}

const SPACE = 0x20
const QUOTE = 0x22
const ZERO = 0x30
const LF = 0x0a
const EVENT_BEGIN = ByteLiteral.ofLatin1('data:')
const EVENT_END_WITH_CR = ByteLiteral.ofLatin1('\r\n\r\n')
/** Of so many digits, each one more makes ten times the number and is exact. */
const MOST_EXACT_DIGITS = 15

/**
 * What all chunks of a kind have in common: their bytes, but for the text they carry, their id and time, and counts of tokens.
 *
 * This is exact. A form is made from a chunk that was parsed, without escapes outside its text and with each of its values
 * that may change behind a key that occurs once, so that there is no doubt where they stand. Bytes of the same form, with
 * the inside of a JSON string or a number in those places, parse to the same chunk with those values. Anything else is no
 * match.
 */
export class ChunkForm {
  readonly meaning: KnownChunk
  /** Equal for forms that match the same bytes. */
  readonly key: string
  /** The form that came last after this one. */
  next: ChunkForm | undefined
  /** The text of the chunk matched last, where it had to be decoded. */
  text = ''
  /** Where it stands otherwise; -1 when it does not stand there as it is. */
  textStart = -1
  textEnd = -1
  readonly #slots: readonly Slot[]
  /** What stands before each slot. */
  readonly #literals: readonly ByteLiteral[]
  readonly #lastLiteral: ByteLiteral
  /** Fields of the usage, and which of the counts each of them is. */
  readonly #usageFields: readonly (readonly [field: keyof TokenUsage, count: number])[]
  readonly #counts: number[] = []

  private constructor(data: string, stretches: readonly Stretch[], meaning: KnownChunk, usage: TokenUsage) {
    this.meaning = meaning
    this.#slots = stretches.map(({ slot }) => slot)
    const literals = stretches.map(({ start }, index) => data.slice(stretches[index - 1]?.end ?? 0, start))
    const lastLiteral = data.slice(stretches.at(-1)?.end ?? 0)
    this.#literals = literals.map(ByteLiteral.ofLatin1)
    this.#lastLiteral = ByteLiteral.ofLatin1(lastLiteral)
    this.#usageFields = Object.entries(usage) as [keyof TokenUsage, number][]
    this.key = JSON.stringify([this.#slots, literals, lastLiteral])
  }

  /**
   * The form of a chunk; `undefined` when it cannot be told where its values stand.
   *
   * @param data its bytes, each as the character of its number
   */
  static of(data: string, chunk: JsonObject, meaning: KnownChunk): ChunkForm | undefined {
    // It came in several data lines: the bytes of an event do not read so.
    if (data.includes('\n')) return undefined
    const { place, hasUsage } = meaning
    const text = place && stretchOf(data, 'text', place.field, '"((?:[^"\\\\]|\\\\.)*)"')
    const usage = hasUsage && usageOf(data)
    if ((place !== undefined && text === undefined) || (hasUsage && usage === undefined)) return undefined
    const id = typeof chunk.id === 'string' ? stretchOf(data, 'label', 'id', '"([^"\\\\]*)"') : undefined
    const created = typeof chunk.created === 'number' ? stretchOf(data, 'number', 'created', '([0-9]+)(?=[,}])') : undefined

    const stretches = [text, id, created, ...(usage?.counts ?? [])]
      .filter((stretch) => stretch !== undefined)
      .sort((a, b) => a.start - b.start)
    let from = 0
    for (const { start, end } of [...stretches, { start: data.length, end: data.length }]) {
      if (data.slice(from, start).includes('\\')) return undefined
      from = end
    }
    return new ChunkForm(data, stretches, meaning, usage?.fields ?? {})
  }

  /** What the chunk matched last says of tokens; `null` when it says nothing. */
  get usage(): TokenUsage | null {
    if (this.#usageFields.length === 0) return null
    const usage: { -readonly [Name in keyof TokenUsage]: TokenUsage[Name] } = {}
    for (const [field, count] of this.#usageFields) usage[field] = this.#counts[count] ?? 0
    return usage
  }

  /** Where the event that begins at `start` ends, if its chunk is of this form and ends before `limit`; else -1. Hot path. */
  match(memory: ChunkMemory, start: number, limit: number): number {
    const { bytes } = memory
    let at = EVENT_BEGIN.behind(memory, start, limit)
    if (at === -1) return -1
    if (bytes[at] === SPACE) at++
    let text = ''
    let textStart = -1
    let textEnd = -1
    let counts = 0
    for (let index = 0; index < this.#slots.length; index++) {
      at = this.#literals[index]?.behind(memory, at, limit) ?? -1
      if (at === -1) return -1
      const slot = this.#slots[index]
      const isNumber = slot === 'number' || slot === 'count'
      let end = isNumber ? endOfWholeNumber(bytes, at, limit) : endOfPlainText(bytes, at, limit)
      if (isNumber && end === at) return -1
      if (slot === 'count') {
        const count = wholeNumber(bytes, at, end)
        if (count === Number.POSITIVE_INFINITY) return -1
        this.#counts[counts++] = count
      } else if (slot === 'text' && bytes[end] === QUOTE) {
        textStart = at
        textEnd = end
      } else if (slot === 'text') {
        end = endOfString(bytes, end, limit)
        const decoded = end === -1 ? undefined : decode(bytes, at, end)
        if (decoded === undefined) return -1
        text = decoded
      }
      at = end
    }
    at = this.#lastLiteral.behind(memory, at, limit)
    const end = at === -1 ? -1 : behindEvent(memory, at, limit)
    if (end === -1) return -1
    this.text = text
    this.textStart = textStart
    this.textEnd = textEnd
    return end
  }
}

function behindEvent(memory: ChunkMemory, at: number, limit: number): number {
  const { bytes } = memory
  if (at + 2 <= limit && bytes[at] === LF && bytes[at + 1] === LF) return at + 2
  return EVENT_END_WITH_CR.behind(memory, at, limit)
}

function wholeNumber(bytes: Buffer, start: number, end: number): number {
  if (end - start > MOST_EXACT_DIGITS) return Number(bytes.toString('latin1', start, end))
  let number = 0
  for (let at = start; at < end; at++) number = number * 10 + (bytes[at] as number) - ZERO
  return number
}

function decode(bytes: Buffer, start: number, end: number): string | undefined {
  const text = bytes.toString('utf8', start, end)
  const value = text.includes('\\') ? parseJson(`"${text}"`)?.value : text
  return typeof value === 'string' ? value : undefined
}

/** The value of a key that occurs once. */
function stretchOf(data: string, slot: Slot, key: string, value: string): Stretch | undefined {
  const quoted = `"${key}"`
  if (data.indexOf(quoted) !== data.lastIndexOf(quoted)) return undefined
  const [start, end] = new RegExp(`${quoted} ?: ?${value}`, 'd').exec(data)?.indices?.[1] ?? []
  return start === undefined || end === undefined ? undefined : { slot, start, end }
}

interface UsageForm {
  readonly counts: readonly Stretch[]
  /** Fields of the usage, with the place of their number among the counts in the place of the number. */
  readonly fields: TokenUsage
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?[0-9][-+.0-9Ee]*/g
const WHOLE_NUMBER = /^(?:0|[1-9][0-9]*)$/

/** Which numbers of a usage object are what: read off the same object with each number replaced by its place. */
function usageOf(data: string): UsageForm | undefined {
  const json = objectOf(data, 'usage')
  if (json === undefined) return undefined
  const counts: Stretch[] = []
  let whole = true
  const numbered = json.text.replace(STRING_OR_NUMBER, (token, offset: number) => {
    if (token.startsWith('"')) return token
    whole &&= WHOLE_NUMBER.test(token)
    const start = json.start + offset
    return String(counts.push({ slot: 'count', start, end: start + token.length }) - 1)
  })
  const fields = whole ? readUsage(parseJson(numbered)?.value) : null
  return fields === null ? undefined : { counts, fields }
}

/** An object that is the value of a key that occurs once: it ends with the first brace that makes it JSON. */
function objectOf(data: string, key: string): { readonly start: number; readonly text: string } | undefined {
  const start = stretchOf(data, 'text', key, '(\\{)')?.start
  if (start === undefined) return undefined
  for (let brace = data.indexOf('}', start); brace !== -1; brace = data.indexOf('}', brace + 1)) {
    const text = data.slice(start, brace + 1)
    if (parseJson(text) !== undefined) return { start, text }
  }
  return undefined
}
