import type { TokenUsage } from '../../message/index.ts'
import { type JsonObject, parseJson } from '../json-value.ts'
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
const EVENT_BEGIN = 'data:'
const EVENT_ENDS = ['\n\n', '\r\n\r\n']

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
  /** The text of the chunk matched last. */
  text = ''
  /** Where that text stands, if it stands there as it is and nothing behind it may differ; else -1. */
  textStart = -1
  readonly #slots: readonly Slot[]
  /** What stands before each slot. */
  readonly #literals: readonly string[]
  readonly #lastLiteral: string
  /** Fields of the usage, and which of the counts each of them is. */
  readonly #usageFields: readonly (readonly [field: keyof TokenUsage, count: number])[]
  readonly #counts: number[] = []

  private constructor(data: string, stretches: readonly Stretch[], meaning: KnownChunk, usage: TokenUsage) {
    this.meaning = meaning
    this.#slots = stretches.map(({ slot }) => slot)
    this.#literals = stretches.map(({ start }, index) => data.slice(stretches[index - 1]?.end ?? 0, start))
    this.#lastLiteral = data.slice(stretches.at(-1)?.end ?? 0)
    this.#usageFields = Object.entries(usage) as [keyof TokenUsage, number][]
    this.key = JSON.stringify([this.#slots, this.#literals, this.#lastLiteral])
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

  /**
   * Where the event that begins at `start` ends, if its chunk is of this form; else -1. Hot path: a slice of a string costs
   * next to nothing, and equality of strings is a comparison of memory.
   */
  match(latin1: string, start: number, limit: number): number {
    let at = behindLiteral(latin1, start, EVENT_BEGIN)
    if (at === -1) return -1
    if (latin1.charCodeAt(at) === SPACE) at++
    let text = ''
    let textStart = -1
    let counts = 0
    for (let index = 0; index < this.#slots.length; index++) {
      at = behindLiteral(latin1, at, this.#literals[index] ?? '')
      if (at === -1) return -1
      const slot = this.#slots[index]
      const isNumber = slot === 'number' || slot === 'count'
      let end = isNumber ? endOfWholeNumber(latin1, at) : endOfPlainText(latin1, at)
      if (isNumber && end === at) return -1
      if (slot === 'count') {
        const count = Number(latin1.slice(at, end))
        if (count === Number.POSITIVE_INFINITY) return -1
        this.#counts[counts++] = count
      } else if (slot === 'text' && latin1.charCodeAt(end) === QUOTE) {
        text = latin1.slice(at, end)
        textStart = at
      } else if (slot === 'text') {
        end = endOfString(latin1, end)
        const decoded = end === -1 ? undefined : decode(latin1.slice(at, end))
        if (decoded === undefined) return -1
        text = decoded
      }
      at = end
    }
    at = behindLiteral(latin1, at, this.#lastLiteral)
    const end = at === -1 ? -1 : behindEvent(latin1, at)
    if (end === -1 || end > limit) return -1
    this.text = text
    this.textStart = this.#slots.at(-1) === 'text' ? textStart : -1
    return end
  }
}

function behindLiteral(latin1: string, at: number, literal: string): number {
  const end = at + literal.length
  return latin1.slice(at, end) === literal ? end : -1
}

function behindEvent(latin1: string, at: number): number {
  for (const ending of EVENT_ENDS) if (latin1.startsWith(ending, at)) return at + ending.length
  return -1
}

function decode(latin1: string): string | undefined {
  const text = Buffer.from(latin1, 'latin1').toString()
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
