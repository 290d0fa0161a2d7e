import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { TraceReplayError } from '../base/index.ts'

/** What `readFileSync` reads at most, and what one `readSync` may ask for. */
const IN_ONE_GO_BYTES = 2 ** 31 - 1
const PIECE_BYTES = 2 ** 30

/**
 * The bytes of a trace file; of a large one piece by piece.
 *
 * @param name for errors
 * @param inOneGo bytes from which on a file is large
 * @throws {TraceReplayError} `UNREADABLE_TRACE`
 */
export function readTraceFile(path: string, name: string, inOneGo = IN_ONE_GO_BYTES): Uint8Array {
  try {
    const descriptor = openSync(path, 'r')
    try {
      const { size } = fstatSync(descriptor)
      // A pipe has no size.
      return size <= inOneGo ? readFileSync(descriptor) : readPieces(descriptor, Buffer.allocUnsafe(size), inOneGo)
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TraceReplayError('UNREADABLE_TRACE', `${name}: The file cannot be opened: ${reason}.`, { cause })
  }
}

function readPieces(descriptor: number, bytes: Buffer, inOneGo: number): Uint8Array {
  let read = 0
  while (read < bytes.length) {
    const more = readSync(descriptor, bytes, read, Math.min(PIECE_BYTES, inOneGo, bytes.length - read), read)
    // Somebody made it shorter.
    if (more === 0) break
    read += more
  }
  return bytes.subarray(0, read)
}
