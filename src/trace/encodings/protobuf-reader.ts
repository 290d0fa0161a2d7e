/**
 * Walks the fields of one protobuf message. Plain and fast: traces in this form are read field by field, once.
 *
 * Bounds are checked at every step; a message that runs out of its bytes throws {@link BrokenProtobuf}.
 */
export class ProtobufReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at: number
  readonly #end: number
  #wire = 0

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#at = start
    this.#end = end
  }

  /** Goes to the next field. @returns its number, `undefined` at the end of the message */
  next(): number | undefined {
    if (this.#at >= this.#end) return undefined
    const tag = this.#smallVarint()
    this.#wire = tag & 7
    const field = tag >>> 3
    if (field === 0) throw new BrokenProtobuf(this.#at, 'a field number of zero')
    return field
  }

  /** How the current field is written: 0 varint, 1 eight bytes, 2 a length and bytes, 5 four bytes. */
  get wire(): number {
    return this.#wire
  }

  skip(): void {
    if (this.#wire === 0) this.varint()
    else if (this.#wire === 1) this.#take(8)
    else if (this.#wire === 2) this.bytes()
    else if (this.#wire === 5) this.#take(4)
    else throw new BrokenProtobuf(this.#at, `wire type ${this.#wire}`)
  }

  bytes(): Uint8Array {
    this.#expect(2)
    const length = this.#smallVarint()
    const start = this.#take(length)
    return this.#bytes.subarray(start, start + length)
  }

  text(): string {
    const bytes = this.bytes()
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  }

  message(): ProtobufReader {
    const bytes = this.bytes()
    const start = bytes.byteOffset - this.#bytes.byteOffset
    return new ProtobufReader(this.#bytes, start, start + bytes.byteLength)
  }

  fixed64(): bigint {
    this.#expect(1)
    return this.#view.getBigUint64(this.#take(8), true)
  }

  double(): number {
    this.#expect(1)
    return this.#view.getFloat64(this.#take(8), true)
  }

  /** A 64-bit integer, signed. */
  varint(): bigint {
    this.#expect(0)
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#take(1)] ?? 0
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, value)
    }
    throw new BrokenProtobuf(this.#at, 'a number of more than ten bytes')
  }

  /** Tags and lengths. */
  #smallVarint(): number {
    let value = 0
    for (let factor = 1; factor <= 2 ** 28; factor *= 128) {
      const byte = this.#bytes[this.#take(1)] ?? 0
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
    throw new BrokenProtobuf(this.#at, 'a length beyond 4 GiB')
  }

  #take(count: number): number {
    const start = this.#at
    if (start + count > this.#end) throw new BrokenProtobuf(start, `${count} bytes announced and ${this.#end - start} left`)
    this.#at = start + count
    return start
  }

  #expect(wire: number): void {
    if (this.#wire !== wire) throw new BrokenProtobuf(this.#at, `wire type ${this.#wire}, expected ${wire}`)
  }
}

/** The bytes are no protobuf message, or a broken one. */
export class BrokenProtobuf extends Error {
  constructor(offset: number, found: string) {
    super(`byte ${offset}: ${found}`)
  }
}
