import type { Readable } from 'node:stream'

/**
 * Lets bytes reach the reader of a stream in the moment in which they come. By itself a stream keeps them, tells its reader in
 * a later tick and then hands them on: two ticks and a dozen objects for each token, more than all else that is done with it.
 *
 * A reader that does not call `read()` when it is told gets them by the stream's own way.
 *
 * @returns hands bytes on; `false` when no more are wanted for now
 */
export function handOver(stream: Readable): (bytes: Buffer) => boolean {
  const read = stream.read
  let isHanding = false
  let bytesInHand: Buffer | null = null

  stream.read = (size) => {
    if (!isHanding || size !== undefined) return read.call(stream, size)
    const bytes = bytesInHand
    bytesInHand = null
    return bytes
  }

  return (bytes) => {
    // What came before goes first.
    if (stream.readableLength > 0) return stream.push(bytes)
    bytesInHand = bytes
    isHanding = true
    try {
      stream.emit('readable')
    } finally {
      isHanding = false
    }
    const left = bytesInHand
    bytesInHand = null
    return left === null || stream.push(left)
  }
}
