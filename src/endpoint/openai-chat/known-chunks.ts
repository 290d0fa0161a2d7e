import { type JsonObject, parseJson } from '../json-value.ts'
import { loneChoice, type TextDelta, textDeltaOf } from './text-delta.ts'

/** What a chunk that was recognised does: it adds to a text, or it is the same as one that was parsed before. */
export type KnownChunk =
  | { readonly kind: 'text'; readonly delta: TextDelta; readonly model: unknown }
  | { readonly kind: 'same'; readonly chunk: JsonObject }

/** What stands between two literal stretches: the text, or a value that no one reads. */
type Hole = 'text' | 'ignored text' | 'ignored number'

interface Pattern {
  readonly literals: readonly Buffer[]
  /** One fewer than literals. */
  readonly holes: readonly Hole[]
  readonly meaning: KnownChunk
}

const MAX_PATTERNS = 16
/** Learning and seeking must pay: a server whose chunks differ in other ways is left to the parser. */
const MISSES_BEFORE_JUDGEMENT = 200
const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_PRINTABLE = 0x20
const ZERO = 0x30
const NINE = 0x39

/**
 * The chunks of a server differ from one another in little but the text they carry, their id and their time. The bytes that
 * stay the same are remembered, so that most chunks are recognised and never parsed: a tenth of the work, on what a client
 * spends most of its time.
 *
 * This is exact. A pattern is made from a chunk that was parsed, without escapes outside its text and with each of its holes
 * behind a key that occurs once, so that there is no doubt where the values stand. Bytes with the same literals, and with
 * the inside of a JSON string or digits in the holes, parse to the same chunk with those values. Anything else is no match.
 */
export class KnownChunks {
  readonly #patterns: Pattern[] = []
  #hits = 0
  #misses = 0
  #found: Pattern | undefined
  #text = ''

  /** Where the JSON that begins at `start` ends, if it is a chunk like one learned; else -1. Hot path. */
  find(bytes: Buffer, start: number): number {
    const patterns = this.#patterns
    for (let index = 0; index < patterns.length; index++) {
      const pattern = patterns[index]
      const end = pattern === undefined ? -1 : this.#match(pattern, bytes, start)
      if (pattern === undefined || end === -1) continue
      if (index > 0) toFront(patterns, index)
      this.#found = pattern
      this.#hits++
      return end
    }
    this.#misses++
    return -1
  }

  /** What was found last. */
  take(): KnownChunk | undefined {
    const meaning = this.#found?.meaning
    return meaning?.kind === 'text' ? { ...meaning, delta: { ...meaning.delta, text: this.#text } } : meaning
  }

  /** Remembers a chunk, if all it does is add to one text, or nothing but what every such chunk does. */
  learn(data: string, chunk: JsonObject): void {
    if (this.#misses > MISSES_BEFORE_JUDGEMENT && this.#hits < this.#misses) {
      this.#patterns.length = 0
      return
    }
    const pattern = patternOf(data, chunk)
    if (pattern === undefined) return
    this.#patterns.unshift(pattern)
    if (this.#patterns.length > MAX_PATTERNS) this.#patterns.pop()
  }

  #match({ literals, holes }: Pattern, bytes: Buffer, start: number): number {
    let at = start
    for (let index = 0; index < literals.length; index++) {
      const literal = literals[index]
      if (literal === undefined || !standsAt(bytes, at, literal)) return -1
      at += literal.length
      const hole = holes[index]
      if (hole === undefined) return at
      const end = hole === 'ignored number' ? endOfNumber(bytes, at) : endOfString(bytes, at, hole === 'text')
      if (end === -1 || (hole === 'text' && !this.#readText(bytes, at, end))) return -1
      at = end
    }
    return -1
  }

  #readText(bytes: Buffer, start: number, end: number): boolean {
    const written = bytes.toString('utf8', start, end)
    const text = written.includes('\\') ? parseJson(`"${written}"`)?.value : written
    if (typeof text !== 'string') return false
    this.#text = text
    return true
  }
}

/** From the end: patterns of one server differ there. */
function standsAt(bytes: Buffer, at: number, literal: Buffer): boolean {
  for (let index = literal.length - 1; index >= 0; index--) if (bytes[at + index] !== literal[index]) return false
  return true
}

/** Where the closing quote stands; -1 when there is none, or a byte before it that may not stand there. */
function endOfString(bytes: Buffer, start: number, mayEscape: boolean): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) return at
    if (byte < FIRST_PRINTABLE || (byte === BACKSLASH && !mayEscape)) return -1
    if (byte === BACKSLASH) at++
  }
  return -1
}

/** Where a whole number ends; -1 when there is none. */
function endOfNumber(bytes: Buffer, start: number): number {
  let at = start
  while (isDigit(bytes[at])) at++
  const length = at - start
  return length === 0 || (length > 1 && bytes[start] === ZERO) ? -1 : at
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}

function toFront<Item>(items: Item[], index: number): void {
  const [item] = items.splice(index, 1)
  if (item !== undefined) items.unshift(item)
}

interface Place {
  readonly start: number
  readonly end: number
  readonly hole: Hole
}

function patternOf(data: string, chunk: JsonObject): Pattern | undefined {
  const choice = loneChoice(chunk)
  const delta = choice === undefined ? undefined : textDeltaOf(choice.delta)
  if (choice === undefined || delta === undefined || (delta !== 'nothing' && choice.finishes)) return undefined
  const places: Place[] = []
  if (delta !== 'nothing') {
    const place = placeOfText(data, delta.field, 'text')
    if (place === undefined) return undefined
    places.push(place)
  }
  const id = typeof chunk.id === 'string' ? placeOfText(data, 'id', 'ignored text') : undefined
  const created = typeof chunk.created === 'number' ? placeOfNumber(data, 'created') : undefined
  for (const place of [id, created]) if (place !== undefined) places.push(place)
  places.sort((a, b) => a.start - b.start)

  const literals: string[] = []
  let from = 0
  for (const { start, end } of places) {
    literals.push(data.slice(from, start))
    from = end
  }
  literals.push(data.slice(from))
  if (literals.some((literal) => literal.includes('\\'))) return undefined
  return {
    literals: literals.map((literal) => Buffer.from(literal)),
    holes: places.map(({ hole }) => hole),
    meaning: delta === 'nothing' ? { kind: 'same', chunk } : { kind: 'text', delta, model: chunk.model },
  }
}

function placeOfText(data: string, key: string, hole: Hole): Place | undefined {
  const match = onlyMatch(data, key, '"((?:[^"\\\\]|\\\\.)*)"')
  return match && { ...match, hole }
}

function placeOfNumber(data: string, key: string): Place | undefined {
  const match = onlyMatch(data, key, '(\\d+)(?=[,}])')
  return match && { ...match, hole: 'ignored number' }
}

/** Where the value of a key stands that occurs once. */
function onlyMatch(data: string, key: string, value: string): { readonly start: number; readonly end: number } | undefined {
  const quoted = `"${key}"`
  if (data.indexOf(quoted) !== data.lastIndexOf(quoted)) return undefined
  const [start, end] = new RegExp(`${quoted} ?: ?${value}`, 'd').exec(data)?.indices?.[1] ?? []
  return start === undefined || end === undefined ? undefined : { start, end }
}
