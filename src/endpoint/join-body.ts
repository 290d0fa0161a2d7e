/** Bodies up to this size share a piece of memory; larger ones are worth one of their own. */
const LARGEST_IN_SLAB = 16 * 1024
const SLAB_BYTES = 256 * 1024
/** UTF-8 takes no more for one unit of a string. */
const MOST_BYTES_PER_UNIT = 3

let slab = Buffer.alloc(0)
let used = 0

/**
 * A body made of its beginning, written anew for each request, and of pieces that were encoded before. Hot path: the small
 * bodies of short calls would otherwise cost more to allocate than to write.
 */
export function joinBody(head: string, pieces: readonly Uint8Array[]): Buffer {
  let most = head.length * MOST_BYTES_PER_UNIT
  for (const piece of pieces) most += piece.length
  if (most > LARGEST_IN_SLAB) return write(Buffer.allocUnsafeSlow(most), 0, head, pieces)
  if (used + most > slab.length) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
    used = 0
  }
  const body = write(slab, used, head, pieces)
  used += body.length
  return body
}

function write(memory: Buffer, start: number, head: string, pieces: readonly Uint8Array[]): Buffer {
  let at = start + memory.write(head, start)
  for (const piece of pieces) {
    memory.set(piece, at)
    at += piece.length
  }
  return memory.subarray(start, at)
}
