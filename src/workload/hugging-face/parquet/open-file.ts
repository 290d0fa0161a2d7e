import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** A file on disk that is read in pieces. */
export class OpenFile {
  readonly sizeBytes: number
  readonly #descriptor: number

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r')
    this.sizeBytes = fstatSync(this.#descriptor).size
  }

  /** @throws when the piece does not lie within the file */
  read(offset: number, length: number): Uint8Array {
    if (!(offset >= 0 && length >= 0 && offset + length <= this.sizeBytes)) {
      throw new Error(`it ends at byte ${this.sizeBytes}, but points to bytes ${offset} to ${offset + length}`)
    }
    // Memory of its own: values may be views of it and outlive the read.
    const bytes = Buffer.allocUnsafeSlow(length)
    for (let done = 0; done < length; ) {
      const count = readSync(this.#descriptor, bytes, done, length - done, offset + done)
      if (count === 0) throw new Error(`it was cut off at byte ${offset + done} while it was read`)
      done += count
    }
    return bytes
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
