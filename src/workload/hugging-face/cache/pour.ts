import type { Readable } from 'node:stream'

/** Pieces that wait to be written take up to this much memory. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024

/**
 * Writes what a stream brings, piece by piece. Unlike an iterator it writes all that has arrived before a stream breaks off: of
 * a download nothing need be fetched twice.
 *
 * @throws what the stream or `write` throws
 */
export function pour(stream: Readable, write: (bytes: Buffer) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let waitingBytes = 0
    let writing = Promise.resolve()
    stream.on('data', (bytes: Buffer) => {
      waitingBytes += bytes.length
      if (waitingBytes > MOST_WAITING_BYTES) stream.pause()
      writing = writing.then(async () => {
        await write(bytes)
        waitingBytes -= bytes.length
        if (waitingBytes <= MOST_WAITING_BYTES) stream.resume()
      })
      writing.catch(reject)
    })
    stream.on('end', () => writing.then(resolve, reject))
    stream.on('error', (error) => writing.then(() => reject(error), reject))
  })
}
