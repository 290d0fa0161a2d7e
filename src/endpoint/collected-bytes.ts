/** Bytes put together up to a limit. */
export class CollectedBytes {
  readonly #limit: number
  #pieces: Buffer[] = []
  #length = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** `false` once the limit is passed: what lies beyond it is not kept. */
  add(piece: Buffer): boolean {
    const room = this.#limit - this.#length
    const kept = piece.length <= room ? piece : piece.subarray(0, room)
    this.#pieces.push(kept)
    this.#length += kept.length
    return piece.length <= room
  }

  take(): Buffer {
    const [only] = this.#pieces
    const bytes = this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces, this.#length)
    this.#pieces = []
    this.#length = 0
    return bytes
  }
}
