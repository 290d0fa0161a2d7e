import { randomUUID } from 'node:crypto'
import { isJsonObject } from '../message/index.ts'
import { NarrowDecoder } from './narrow-json.ts'
import { keepSharedTexts, type SharedText, SharedTexts } from './shared-texts.ts'

/** Bytes in the file from which on a text is taken out of the document and looked at. */
const LONG = 4_096
/** How many lists are remembered. Agents that take turns in one file each have one that grows. */
const REMEMBERED = 32
/** So many bytes into the file at least half of it must have been long texts, or this way of parsing does not pay. */
const TRIAL = 2 ** 22

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, CLOSE_LIST] = [0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x5d]

/** The bytes between the quotes of a text that is itself a JSON list. */
interface List {
  readonly start: number
  readonly end: number
  readonly text: SharedText
  /** The text without its closing bracket. */
  readonly opening: string
  continued: boolean
}

/**
 * What `JSON.parse` makes of a file in which each call repeats the history of the one before, as JSON inside a text. A text that
 * begins like an earlier one is recognised by its bytes: what it repeats is neither decoded nor stored a second time, so the
 * work and the memory follow what the file says, not how often it says it.
 *
 * Long texts are taken out, what is left goes through `JSON.parse`, and they are put back into the value.
 *
 * @param bytes valid UTF-8
 * @returns `undefined` when it does not pay, or the bytes are no JSON: let `JSON.parse` find out
 */
export function parseSharing(bytes: Buffer): { readonly value: unknown } | undefined {
  try {
    return new SharingParser(bytes).parse()
  } catch {
    return undefined
  }
}

class SharingParser {
  readonly #bytes: Buffer
  readonly #decoder = new NarrowDecoder()
  readonly #texts = new SharedTexts()
  readonly #taken: string[] = []
  /** Oldest first. */
  readonly #lists = new Set<List>()
  /** Unguessable, so that no text of the file can pass for the mark of another. */
  readonly #mark = `${randomUUID()} `

  constructor(bytes: Buffer) {
    this.#bytes = bytes
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

  /** With a stack of its own, so that depth costs nothing. */
  #putTextsBack(root: unknown[]): void {
    const open: unknown[] = [root]
    while (open.length > 0) {
      const values = open.pop()
      if (Array.isArray(values)) {
        for (const [index, value] of values.entries()) this.#putBack(value, open, (text) => (values[index] = text))
      } else if (isJsonObject(values)) {
        const object: Record<string, unknown> = values
        for (const key of Object.keys(object)) this.#putBack(object[key], open, (text) => (object[key] = text))
      }
    }
  }

  #putBack(value: unknown, open: unknown[], set: (text: string) => void): void {
    if (typeof value === 'object') open.push(value)
    if (typeof value !== 'string' || !value.startsWith(this.#mark)) return
    const text = this.#taken[Number(value.slice(this.#mark.length))]
    if (text !== undefined) set(text)
  }

  /** @returns the file with marks in place of its long texts */
  #takeLongTexts(): Buffer | undefined {
    const bytes = this.#bytes
    const pieces: Buffer[] = []
    let copied = 0
    let long = 0
    for (let quote = bytes.indexOf(QUOTE); quote >= 0; ) {
      const start = quote + 1
      const base = bytes[start] === OPEN_LIST ? this.#longestOpeningAt(start) : undefined
      const end = this.#endOfText(base === undefined ? start : start + lengthOfOpening(base))
      if (end - start >= LONG && !this.#isKey(end)) {
        pieces.push(bytes.subarray(copied, start), Buffer.from(`${this.#mark}${this.#taken.length}`))
        this.#take(start, end, base)
        copied = end
        long += end - start
      }
      if (end > TRIAL && long * 2 < end) return undefined
      quote = bytes.indexOf(QUOTE, end + 1)
    }
    return Buffer.concat([...pieces, bytes.subarray(copied)])
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

  #take(start: number, end: number, base: List | undefined): void {
    const isList = this.#bytes[start] === OPEN_LIST && this.#bytes[end - 1] === CLOSE_LIST
    const restStart = base === undefined ? start : start + lengthOfOpening(base)
    const rest = this.#decode(restStart, end)
    const text = base === undefined ? rest : rest === ']' ? base.text.text : base.opening + rest
    this.#taken.push(text)
    const shared = base === undefined ? { text, rest } : { text, rest, base: base.text }
    this.#texts.add(shared)
    if (base !== undefined) base.continued = true
    if (!isList || rest === ']') return
    if (this.#lists.size >= REMEMBERED) this.#forgetOne()
    const opening = (base?.opening ?? '') + rest.slice(0, -1)
    this.#lists.add({ start, end, text: shared, opening, continued: false })
  }

  #decode(start: number, end: number): string {
    const bytes = this.#bytes.subarray(start, end)
    const literal = this.#decoder.decode(bytes, '"', '"') ?? `"${bytes.toString('utf8')}"`
    return JSON.parse(literal) as string
  }

  #longestOpeningAt(start: number): List | undefined {
    const bytes = this.#bytes
    // Longest first: of a list that grew, only the last state is compared at full length.
    const candidates = [...this.#lists].sort((a, b) => lengthOfOpening(b) - lengthOfOpening(a))
    return candidates.find((list) => {
      const end = start + lengthOfOpening(list)
      if (bytes[end] !== COMMA && bytes[end] !== CLOSE_LIST) return false
      return bytes.compare(bytes, list.start, list.end - 1, start, end) === 0
    })
  }

  /** A list that was continued goes first: its continuation stands for it, unless another branch starts from it. */
  #forgetOne(): void {
    const [oldest] = this.#lists
    const gone = [...this.#lists].find((list) => list.continued) ?? oldest
    if (gone !== undefined) this.#lists.delete(gone)
  }
}

function lengthOfOpening({ start, end }: List): number {
  return end - 1 - start
}
