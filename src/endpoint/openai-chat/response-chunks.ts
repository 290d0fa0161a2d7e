import { ByteLiteral } from '../byte-literal.ts'
import type { ChunkMemory } from '../memory-of-chunks.ts'
import type { ChunkForm } from './chunk-form.ts'
import { endOfPlainText } from './json-scan.ts'
import type { KnownChunks } from './known-chunks.ts'

/**
 * The known chunks of one response. They share id and time too, so that two chunks of one form differ in nothing but their
 * text: what stands before and behind it is compared as a whole, which is several times faster than to match the form.
 */
export class ResponseChunks {
  readonly #known: KnownChunks
  /** Of the chunk that was found last. */
  form: ChunkForm | undefined
  /** What stands before and behind the text of such chunks; `undefined` when they may differ in more. */
  #before: ByteLiteral | undefined
  #behind: ByteLiteral | undefined
  /** Where the text stands of the chunk that was found by `findAlike`. */
  textStart = 0
  textEnd = 0

  /** @param known of the server: shared by its responses, which learn from one another */
  constructor(known: KnownChunks) {
    this.#known = known
  }

  /** Where the event that begins at `start` ends, if it differs from the one found last in its text alone; else -1. Hot path. */
  findAlike(memory: ChunkMemory, start: number, limit: number): number {
    if (this.#before === undefined || this.#behind === undefined) return -1
    const textStart = this.#before.behind(memory, start, limit)
    if (textStart === -1) return -1
    const textEnd = endOfPlainText(memory.bytes, textStart, limit)
    const end = this.#behind.behind(memory, textEnd, limit)
    this.textStart = textStart
    this.textEnd = textEnd
    return end
  }

  /** The same, if its chunk is like one learned from any response. */
  find(memory: ChunkMemory, start: number, limit: number): number {
    const end = this.#known.find(memory, start, limit)
    if (end === -1) return -1
    const { found } = this.#known
    if (found === undefined || (found === this.form && found.textStart === -1)) return end
    this.form = found
    const { textStart, textEnd } = found
    const isAlike = textStart !== -1
    this.#before = isAlike ? ByteLiteral.copy(memory, start, textStart) : undefined
    this.#behind = isAlike ? ByteLiteral.copy(memory, textEnd, end) : undefined
    return end
  }

  learn(...chunk: Parameters<KnownChunks['learn']>): void {
    this.#known.learn(...chunk)
  }
}
