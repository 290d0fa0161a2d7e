/**
 * The memory in which chunks of bytes lie, as one: chunks that were read one after the other lie in the same piece of it, and
 * what is made to look at it is made once.
 */
export interface ChunkMemory {
  readonly bytes: Buffer
  readonly view: DataView
}

let buffer = new ArrayBuffer(0) as ArrayBufferLike
let memory = seen(buffer)

/** A byte of the chunk stands there at its own place and the chunk's `byteOffset`. Hot path. */
export function memoryOf(chunk: Buffer): ChunkMemory {
  if (chunk.buffer !== buffer) {
    buffer = chunk.buffer
    memory = seen(buffer)
  }
  return memory
}

function seen(whole: ArrayBufferLike): ChunkMemory {
  return { bytes: Buffer.from(whole), view: new DataView(whole) }
}
