import { randomUUID } from 'node:crypto'
import { isJsonObject } from '../message/index.ts'
import { NarrowDecoder } from './narrow-json.ts'
import { keepSharedTexts, type SharedText, SharedTexts } from './shared-texts.ts'

/** Bytes in the file from which on a text is taken out of the document and looked at. */
const LONG = 1_024
/** Less in common with an earlier text is not worth the bookkeeping. */
const LEAST_COMMON = 512
/** Texts that begin with the same bytes are compared; so many of them. Agents that take turns in one file each have one that grows. */
const [BEGINNING, REMEMBERED] = [128, 32]
/** Of an earlier text, so much in common makes a text its continuation, which stands for it from then on. */
const MOST = 0.9
/** So many bytes into the file at least half of it must have been long texts, or this way of parsing does not pay. */
const TRIAL = 2 ** 22

const [QUOTE, BACKSLASH, COLON, CLOSE_OBJECT] = [0x22, 0x5c, 0x3a, 0x7d]

/** A long text of the file: the bytes between its quotes. */
interface Known {
  readonly start: number
  readonly length: number
  readonly text: SharedText
  /** What it has in common with `base`: so many bytes, which say `opening`. */
  readonly base: Known | undefined
  readonly common: number
  readonly opening: string
}

/** The beginning of a text that an earlier one begins with, too. */
interface Common {
  readonly with: Known
  readonly bytes: number
}

/**
 * What `JSON.parse` makes of a file in which each call repeats the history of the one before, as JSON inside a text. A text that
 * begins like an earlier one is recognised by its bytes: what it repeats is neither decoded nor stored a second time, so the
 * work and the memory follow what the file says, not how often it says it.
 *
 * Long texts are taken out, what is left goes through `JSON.parse`, and they are put back into the value.
 *
 * @param bytes valid UTF-8
 * @param force to parse this way whether it pays or not
 * @returns `undefined` when it does not pay, or the bytes are no JSON: let `JSON.parse` find out
 */
export function parseSharing(bytes: Buffer, force = false): { readonly value: unknown } | undefined {
  try {
    return new SharingParser(bytes, force).parse()
  } catch {
    return undefined
  }
}

class SharingParser {
  readonly #bytes: Buffer
  readonly #force: boolean
  readonly #decoder = new NarrowDecoder()
  readonly #texts = new SharedTexts()
  readonly #taken: string[] = []
  /** By how they begin; the latest first. */
  readonly #known = new Map<string, Known[]>()
  /** The very first bytes of all of them: of most texts these tell that there is none like them. */
  readonly #firstBytes = new Set<number>()
  /** Unguessable, so that no text of the file can pass for the mark of another. */
  readonly #mark = `${randomUUID()} `

  constructor(bytes: Buffer, force: boolean) {
    this.#bytes = bytes
    this.#force = force
  }

  parse(): { readonly value: unknown } | undefined {
    const remainder = this.#takeLongTexts()
    if (remainder === undefined) return undefined
    const json = this.#decoder.decode(remainder) ?? remainder.toString('utf8')
    const root: unknown[] = [JSON.parse(json)]
    this.#putTextsBack(root)
    const [value] = root
    keepSharedTexts(value, this.#texts)
    return { value }
  }

  /** With a stack of its own, so that depth costs nothing. Plain loops: every value of the file comes by here. */
  #putTextsBack(root: unknown[]): void {
    const open: unknown[] = [root]
    while (open.length > 0) {
      const values = open.pop()
      if (Array.isArray(values)) {
        for (let index = 0; index < values.length; index++) {
          const value: unknown = values[index]
          if (typeof value === 'string') values[index] = this.#textFor(value)
          else if (typeof value === 'object') open.push(value)
        }
      } else if (isJsonObject(values)) {
        const object: Record<string, unknown> = values
        for (const key of Object.keys(object)) {
          const value = object[key]
          if (typeof value === 'object') open.push(value)
          else if (typeof value === 'string' && this.#isMark(value)) object[key] = this.#textFor(value)
        }
      }
    }
  }

  #isMark(value: string): boolean {
    return value.length > this.#mark.length && value.length < this.#mark.length + 12 && value.startsWith(this.#mark)
  }

  #textFor(value: string): string {
    return this.#isMark(value) ? (this.#taken[Number(value.slice(this.#mark.length))] ?? value) : value
  }

  /** @returns the file with marks in place of its long texts */
  #takeLongTexts(): Buffer | undefined {
    const bytes = this.#bytes
    const pieces: Buffer[] = []
    let copied = 0
    let long = 0
    for (let quote = this.#quoteFrom(0); quote < bytes.length; ) {
      const start = quote + 1
      // What is known of a text need not be searched for its end.
      const common = this.#commonAt(start)
      const end = this.#endOfText(start + (common?.bytes ?? 0))
      if (end - start >= LONG && !this.#isKey(end)) {
        pieces.push(bytes.subarray(copied, start), Buffer.from(`${this.#mark}${this.#taken.length}`))
        this.#taken.push(this.#take(start, end - start, common))
        copied = end
        long += end - start
      }
      if (!this.#force && end > TRIAL && long * 2 < end) return undefined
      quote = this.#quoteFrom(end + 1)
    }
    return Buffer.concat([...pieces, bytes.subarray(copied)])
  }

  /** Between two texts there are few bytes: a loop is done before a search has begun. */
  #quoteFrom(at: number): number {
    const bytes = this.#bytes
    while (at < bytes.length && bytes[at] !== QUOTE) at += 1
    return at
  }

  /** @returns where the closing quote stands */
  #endOfText(from: number): number {
    const bytes = this.#bytes
    let at = from
    while (bytes[at] !== QUOTE) {
      if (at >= bytes.length) throw new SyntaxError('A text does not end.')
      at += bytes[at] === BACKSLASH ? 2 : 1
    }
    return at
  }

  #isKey(end: number): boolean {
    let at = end + 1
    while ((this.#bytes[at] ?? 0xff) <= 0x20) at += 1
    return this.#bytes[at] === COLON
  }

  #take(start: number, length: number, common: Common | undefined): string {
    if (common !== undefined && common.bytes === length && common.with.length === length) return common.with.text.text
    const known = common === undefined ? this.#unlike(start, length) : this.#like(start, length, common)
    this.#texts.add(known.text)
    this.#remember(known, common)
    return known.text.text
  }

  #unlike(start: number, length: number): Known {
    const text = this.#decode(start, start + length)
    return { start, length, text: { text, common: 0, rest: text }, base: undefined, common: 0, opening: '' }
  }

  #like(start: number, length: number, { with: similar, bytes: common }: Common): Known {
    // What both have from a third is read off that.
    let base = similar
    while (base.base !== undefined && common <= base.common) base = base.base
    const own = this.#decode(base.start + base.common, base.start + common).length
    const opening = base.opening + base.text.rest.slice(0, own)
    const rest = this.#decode(start + common, start + length)
    const text = { text: opening + rest, base: base.text, common: opening.length, rest }
    return { start, length, text, base, common, opening }
  }

  #remember(known: Known, common: Common | undefined): void {
    const beginning = this.#beginningAt(known.start)
    this.#firstBytes.add(this.#firstBytesAt(known.start))
    const others = this.#known.get(beginning) ?? []
    const continued = common !== undefined && common.bytes >= common.with.length * MOST ? common.with : undefined
    this.#known.set(beginning, [known, ...others.filter((other) => other !== continued).slice(0, REMEMBERED - 1)])
  }

  #firstBytesAt(start: number): number {
    const bytes = this.#bytes
    return (
      (bytes[start] ?? 0) | ((bytes[start + 1] ?? 0) << 8) | ((bytes[start + 2] ?? 0) << 16) | ((bytes[start + 3] ?? 0) << 24)
    )
  }

  #beginningAt(start: number): string {
    return this.#bytes.toString('latin1', start, start + BEGINNING)
  }

  #decode(start: number, end: number): string {
    const bytes = this.#bytes.subarray(start, end)
    const literal = this.#decoder.decode(bytes, '"', '"') ?? `"${bytes.toString('utf8')}"`
    return JSON.parse(literal) as string
  }

  /** The longest beginning that the text at a place has in common with an earlier one. */
  #commonAt(start: number): Common | undefined {
    let longest: Common | undefined
    if (!this.#firstBytes.has(this.#firstBytesAt(start))) return undefined
    for (const known of this.#known.get(this.#beginningAt(start)) ?? []) {
      const equal = equalBytes(this.#bytes, known.start, start, known.length)
      const isWhole = equal === known.length && this.#bytes[start + equal] === QUOTE
      const bytes = isWhole ? equal : this.#behindObject(start, equal)
      if (bytes >= LEAST_COMMON && bytes > (longest?.bytes ?? 0)) longest = { with: known, bytes }
      // Good enough: in a conversation, the call before is the longest.
      if (bytes >= known.length * MOST) break
    }
    return longest
  }

  /** The last place behind an object: a history goes on there, and it is in the middle of no character and no escape. */
  #behindObject(start: number, length: number): number {
    return this.#bytes.subarray(start, start + length).lastIndexOf(CLOSE_OBJECT) + 1
  }
}

/** How many bytes are the same from two places on, by halves: memory is compared faster than by any loop, up to where it differs. */
function equalBytes(bytes: Buffer, a: number, b: number, most: number): number {
  const limit = Math.min(most, bytes.length - b)
  const isEqual = (from: number, to: number) => bytes.compare(bytes, a + from, a + to, b + from, b + to) === 0
  if (isEqual(0, limit)) return limit
  let [equal, unequal] = [0, limit]
  while (unequal - equal > 1) {
    const middle = (equal + unequal) >>> 1
    if (isEqual(equal, middle)) equal = middle
    else unequal = middle
  }
  return equal
}
