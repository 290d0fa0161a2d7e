/** Bodies up to this size share a piece of memory; larger ones are worth one of their own. */
const LARGEST_IN_SLAB = 16 * 1024
const SLAB_BYTES = 256 * 1024

let slab = Buffer.alloc(0)
let used = 0

/**
 * A body made of its beginning, written anew for each request, and of pieces that were encoded before. Hot path: the small
 * bodies of short calls would otherwise cost more to allocate than to write.
 */
export function joinBody(head: string, pieces: readonly Uint8Array[]): Buffer {
  let length = Buffer.byteLength(head)
  for (const piece of pieces) length += piece.length
  const body = allocate(length)
  let at = body.write(head)
  for (const piece of pieces) {
    body.set(piece, at)
    at += piece.length
  }
  return body
}

function allocate(length: number): Buffer {
  if (length > LARGEST_IN_SLAB) return Buffer.allocUnsafeSlow(length)
  if (used + length > slab.length) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
    used = 0
  }
  used += length
  return slab.subarray(used - length, used)
}
