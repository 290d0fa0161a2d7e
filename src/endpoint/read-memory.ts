import type { OnReadOpts } from 'node:net'

const MOST_BYTES_PER_READ = 64 * 1024
/** No more than that: whoever keeps a few bytes, such as the start of an event that stalls, keeps all of it. */
const SLAB_BYTES = MOST_BYTES_PER_READ

/** A call into the engine's own code makes an object and takes longer than to copy so few bytes here. */
const MOST_BYTES_COPIED_HERE = 512
const WORD_BYTES = 4

/** Into which all sockets read; what a read has brought is moved on before the next one. */
const landing = Buffer.allocUnsafeSlow(MOST_BYTES_PER_READ)
const landingWords = new Int32Array(landing.buffer)

let slab = Buffer.alloc(0)
let slabWords = new Int32Array(0)
let used = 0

/**
 * How a socket takes in what it reads. By itself it allocates 64 kB for each read, be it a token, and the engine stops everything
 * to let go of thousands of those. So sockets read into the same memory, and the bytes are copied to where others are.
 *
 * @param push hands bytes on; `false` when no more are wanted for now
 */
export function readIntoSharedMemory(push: (bytes: Buffer) => boolean): OnReadOpts {
  return {
    buffer: landing,
    callback: (bytesRead) => push(copyOf(bytesRead)),
  }
}

/** Hot path. */
function copyOf(bytes: number): Buffer {
  if (used + bytes > slab.length) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
    slabWords = new Int32Array(slab.buffer)
    used = 0
  }
  const start = used
  const words = Math.ceil(bytes / WORD_BYTES)
  if (bytes > MOST_BYTES_COPIED_HERE) landing.copy(slab, start, 0, bytes)
  else {
    const first = start / WORD_BYTES
    for (let word = 0; word < words; word++) slabWords[first + word] = landingWords[word] as number
  }
  used = start + words * WORD_BYTES
  return slab.subarray(start, start + bytes)
}
