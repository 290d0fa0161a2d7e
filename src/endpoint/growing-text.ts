const FIRST_BYTES = 128
const WIDEST_LATIN1 = 0xff

/**
 * A text that grows by a token at a time, as characters in one piece of memory. Concatenated strings would be two objects
 * for each token of every stream in flight: too young to stay where they are and alive whenever the engine collects, which
 * stops everything, the stamping of arrivals too, until it has copied them.
 */
export class GrowingText {
  #bytes: Buffer = NOTHING
  #length = 0
  /** Two bytes to a character, since one came that needs them. */
  #wide = false

  static of(text: string): GrowingText {
    const growing = new GrowingText()
    growing.add(text)
    return growing
  }

  get isEmpty(): boolean {
    return this.#length === 0
  }

  /** Hot path: written character by character, which for a token costs less than a call into the engine's own code. */
  add(text: string): void {
    if (this.#wide) {
      this.#addWide(text, 0)
      return
    }
    this.#makeRoom(text.length)
    const bytes = this.#bytes
    let at = this.#length
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code > WIDEST_LATIN1) {
        this.#length = at
        this.#widen()
        this.#addWide(text, index)
        return
      }
      bytes[at++] = code
    }
    this.#length = at
  }

  /** Adds characters that are a byte each. Hot path. */
  addLatin1(source: Buffer, from: number, to: number): void {
    if (this.#wide) {
      this.#addWide(source.toString('latin1', from, to), 0)
      return
    }
    this.#makeRoom(to - from)
    const bytes = this.#bytes
    let at = this.#length
    for (let index = from; index < to; index++) bytes[at++] = source[index] as number
    this.#length = at
  }

  toString(): string {
    return this.#bytes.toString(this.#wide ? 'utf16le' : 'latin1', 0, this.#length)
  }

  #addWide(text: string, from: number): void {
    this.#makeRoom(2 * (text.length - from))
    const bytes = this.#bytes
    let at = this.#length
    for (let index = from; index < text.length; index++) {
      const code = text.charCodeAt(index)
      bytes[at++] = code & 0xff
      bytes[at++] = code >> 8
    }
    this.#length = at
  }

  #widen(): void {
    this.#bytes = Buffer.from(this.toString(), 'utf16le')
    this.#length = this.#bytes.length
    this.#wide = true
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const grown = Buffer.allocUnsafe(Math.max(FIRST_BYTES, needed, 2 * this.#bytes.length))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
  }
}

const NOTHING = Buffer.alloc(0)
