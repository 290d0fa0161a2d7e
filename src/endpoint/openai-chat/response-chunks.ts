import type { TokenUsage } from '../../message/index.ts'
import type { KnownChunk, TextPlace } from './chunk-meaning.ts'
import { endOfPlainText } from './json-scan.ts'
import type { KnownChunks } from './known-chunks.ts'

/**
 * The known chunks of one response. They share id and time too, so that two chunks of one form differ in nothing but their
 * text: what stands before and behind it is compared as a whole, which is several times faster than to match the form.
 */
export class ResponseChunks {
  readonly #known: KnownChunks
  /** What stands before and behind the text of the chunk that was found last; empty when there is none yet. */
  #before = ''
  #behind = ''
  meaning: KnownChunk | undefined
  /** The text of the chunk that was found by `find`. */
  text = ''
  /** Where the text stands of the chunk that was found by `findAlike`. */
  textStart = 0
  textEnd = 0

  /** Where the chunk found last adds its text. */
  get place(): TextPlace | undefined {
    return this.meaning?.place
  }

  /** What the chunk found last says of tokens. */
  get usage(): TokenUsage | null {
    return this.#known.usage
  }

  /** @param known of the server: shared by its responses, which learn from one another */
  constructor(known: KnownChunks) {
    this.#known = known
  }

  /** Where the event that begins at `start` ends, if it differs from the one found last in its text alone; else -1. Hot path. */
  findAlike(latin1: string, start: number, limit: number): number {
    if (this.#behind === '') return -1
    const textStart = start + this.#before.length
    // A slice costs nothing and equality is a memory comparison.
    if (latin1.slice(start, textStart) !== this.#before) return -1
    const textEnd = endOfPlainText(latin1, textStart)
    const end = textEnd + this.#behind.length
    if (end > limit || latin1.slice(textEnd, end) !== this.#behind) return -1
    this.textStart = textStart
    this.textEnd = textEnd
    return end
  }

  /** The same, if its chunk is like one learned from any response. */
  find(latin1: string, start: number, limit: number): number {
    const known = this.#known
    const end = known.find(latin1, start, limit)
    if (end === -1) return -1
    const { textStart, text } = known
    this.text = text
    if (known.meaning !== this.meaning || textStart !== -1) {
      this.meaning = known.meaning
      this.#before = textStart === -1 ? '' : latin1.slice(start, textStart)
      this.#behind = textStart === -1 ? '' : latin1.slice(textStart + text.length, end)
    }
    return end
  }

  learn(...chunk: Parameters<KnownChunks['learn']>): void {
    this.#known.learn(...chunk)
  }
}
