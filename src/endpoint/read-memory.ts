import type { OnReadOpts } from 'node:net'

const MOST_BYTES_PER_READ = 64 * 1024
/** No more than that: whoever keeps a few bytes, such as the start of an event that stalls, keeps all of it. */
const SLAB_BYTES = MOST_BYTES_PER_READ

/** Into which all sockets read; what a read has brought is moved on before the next one. */
const landing = Buffer.allocUnsafeSlow(MOST_BYTES_PER_READ)

let slab = Buffer.alloc(0)
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

function copyOf(bytes: number): Buffer {
  if (used + bytes > slab.length) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
    used = 0
  }
  landing.copy(slab, used, 0, bytes)
  used += bytes
  return slab.subarray(used - bytes, used)
}
