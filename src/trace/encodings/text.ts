import { constants, isAscii, isUtf8 } from 'node:buffer'
import type { FileReport } from '../file-report.ts'

/**
 * The text in a file's bytes: UTF-8, or UTF-16 with or without a byte order mark. Bytes that are no valid UTF-8 are replaced,
 * with a warning.
 *
 * @returns `undefined` when it is refused: longer than a string can be
 */
export function decodeText(bytes: Uint8Array, report: FileReport): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ascii = isAscii(bytes)
  // An ASCII text has as many units as bytes. Others may have fewer, and are tried.
  if (ascii && bytes.length > constants.MAX_STRING_LENGTH) return refuseLength(bytes, report)
  const encoding = encodingOf(buffer)
  if (encoding === 'utf-8' && !ascii && !isUtf8(bytes)) {
    report.note(
      'invalid-utf8',
      'The file is not valid UTF-8. The bad bytes were replaced; texts around them differ from the recording.',
    )
  }
  try {
    // The decoder drops the byte order mark. ASCII has none, and a straight copy is faster.
    return ascii && encoding === 'utf-8' ? buffer.toString('latin1') : new TextDecoder(encoding).decode(buffer)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_STRING_TOO_LONG') return refuseLength(bytes, report)
    throw error
  }
}

function encodingOf(bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // JSON begins with an ASCII character; in UTF-16 its other byte is zero.
  if (bytes.length >= 2 && second === 0 && first !== 0) return 'utf-16le'
  return bytes.length >= 2 && first === 0 && second !== 0 ? 'utf-16be' : 'utf-8'
}

function refuseLength(bytes: Uint8Array, report: FileReport): undefined {
  const megabytes = (length: number) => Math.floor(length / 2 ** 20)
  report.refuse(
    'UNREADABLE_TRACE',
    `The file has ${megabytes(bytes.length)} MiB, more than the ${megabytes(constants.MAX_STRING_LENGTH)} MiB that can be read in one piece. Export the sessions into several files.`,
  )
  return undefined
}
