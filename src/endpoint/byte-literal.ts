import type { ChunkMemory } from './memory-of-chunks.ts'

const WORD_BYTES = 8

/**
 * Bytes to be found again. Hot path: they are compared eight at a time, as floating-point numbers, which the engine reads
 * from anywhere in memory and compares without making an object. Two of them that are equal have the same bits, but for zero,
 * which has two forms: so bytes with a zero among them are compared one by one.
 */
export class ByteLiteral {
  readonly length: number
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #inWords: boolean

  /** @param bytes kept as they are, not copied */
  constructor(bytes: Uint8Array) {
    this.length = bytes.length
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#inWords = bytes.length >= WORD_BYTES && !bytes.includes(0)
  }

  /** @param latin1 each byte as the character of its number */
  static of(latin1: string): ByteLiteral {
    return new ByteLiteral(Buffer.from(latin1, 'latin1'))
  }

  /** A copy of what stands in memory. */
  static copy({ bytes }: ChunkMemory, start: number, end: number): ByteLiteral {
    const copy = Buffer.allocUnsafe(end - start)
    bytes.copy(copy, 0, start, end)
    return new ByteLiteral(copy)
  }

  /** Where it ends, if it stands at `at` and ends before `limit`; else -1. */
  behind({ bytes, view }: ChunkMemory, at: number, limit: number): number {
    const length = this.length
    const end = at + length
    if (end > limit) return -1
    if (!this.#inWords) {
      for (let index = 0; index < length; index++) if (bytes[at + index] !== this.#bytes[index]) return -1
      return end
    }
    const own = this.#view
    const lastWord = length - WORD_BYTES
    for (let index = 0; index < lastWord; index += WORD_BYTES) {
      if (view.getFloat64(at + index, true) !== own.getFloat64(index, true)) return -1
    }
    // The last word may overlap the one before.
    return view.getFloat64(at + lastWord, true) === own.getFloat64(lastWord, true) ? end : -1
  }
}
