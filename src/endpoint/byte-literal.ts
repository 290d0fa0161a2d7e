import type { ChunkMemory } from './memory-of-chunks.ts'

const WORD_BYTES = 8
const SLAB_BYTES = 16 * 1024

/** Into which literals are copied: one that had memory of its own would be several objects, and made for each response. */
let slab = Buffer.alloc(0)
let slabView = new DataView(slab.buffer)
let used = 0

/**
 * Bytes to be found again. Hot path: they are compared eight at a time, as floating-point numbers, which the engine reads
 * from anywhere in memory and compares without making an object. Two of them that are equal have the same bits, but for zero,
 * which has two forms: so bytes with a zero among them are compared one by one.
 */
export class ByteLiteral {
  readonly #length: number
  readonly #view: DataView
  readonly #start: number
  readonly #inWords: boolean

  private constructor(view: DataView, start: number, length: number, hasZero: boolean) {
    this.#length = length
    this.#view = view
    this.#start = start
    this.#inWords = length >= WORD_BYTES && !hasZero
  }

  /** @param bytes kept as they are, not copied */
  static of(bytes: Uint8Array): ByteLiteral {
    return new ByteLiteral(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length, bytes.includes(0))
  }

  /** @param text each character is the byte of its number */
  static ofLatin1(text: string): ByteLiteral {
    return ByteLiteral.of(Buffer.from(text, 'latin1'))
  }

  /** A copy of what stands in memory. Hot path: byte by byte, which for so few costs less than a call into the engine's own code. */
  static copy({ bytes }: ChunkMemory, start: number, end: number): ByteLiteral {
    const length = end - start
    if (used + length > slab.length) {
      slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, length))
      slabView = new DataView(slab.buffer)
      used = 0
    }
    const from = used
    let hasZero = false
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number
      if (byte === 0) hasZero = true
      slab[used++] = byte
    }
    return new ByteLiteral(slabView, from, length, hasZero)
  }

  /** Where it ends, if it stands at `at` and ends before `limit`; else -1. */
  behind({ view }: ChunkMemory, at: number, limit: number): number {
    const length = this.#length
    const end = at + length
    if (end > limit) return -1
    const own = this.#view
    const start = this.#start
    if (!this.#inWords) {
      for (let index = 0; index < length; index++) if (view.getUint8(at + index) !== own.getUint8(start + index)) return -1
      return end
    }
    const lastWord = length - WORD_BYTES
    for (let index = 0; index < lastWord; index += WORD_BYTES) {
      if (view.getFloat64(at + index, true) !== own.getFloat64(start + index, true)) return -1
    }
    // The last word may overlap the one before.
    return view.getFloat64(at + lastWord, true) === own.getFloat64(start + lastWord, true) ? end : -1
  }
}
