import { constants, isUtf8 } from 'node:buffer'
import type { FileReport } from '../file-report.ts'
import { NarrowDecoder } from '../narrow-json.ts'
import { parseSharing } from '../parse-sharing.ts'

/**
 * The text in a file's bytes: UTF-8, or UTF-16 with or without a byte order mark. Bytes that are no valid UTF-8 are replaced,
 * with a warning.
 *
 * @returns `undefined` when it is refused: longer than a string can be
 */
export function decodeText(bytes: Uint8Array, report: FileReport): string | undefined {
  return decoded(bytes, report, () => undefined)
}

/** The same for JSON: characters beyond ASCII may come as escapes, for the sake of speed and memory. */
export function decodeJsonText(bytes: Uint8Array, report: FileReport): string | undefined {
  return decoded(bytes, report, (utf8) => new NarrowDecoder().decode(utf8))
}

/** From so many bytes on it is worth looking for what a file repeats. */
const LARGE = 2 ** 18

/**
 * The value in a file's bytes. They may be more than fit into one text, as long as what the file does not repeat fits.
 *
 * @param longest characters that a text can have
 * @returns `undefined` when it is refused: longer than can be read
 * @throws {SyntaxError} when it is no JSON
 */
export function parseJson(
  bytes: Uint8Array,
  report: FileReport,
  longest: number = constants.MAX_STRING_LENGTH,
): { readonly value: unknown } | undefined {
  const buffer = withoutMark(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (buffer.length > LARGE && encodingOf(buffer) === 'utf-8' && isUtf8(buffer)) {
    const parsed = parseSharing(buffer, buffer.length > longest)
    if (parsed !== undefined) return parsed
  }
  const text = decodeJsonText(bytes, report)
  return text === undefined ? undefined : { value: JSON.parse(text) }
}

function decoded(bytes: Uint8Array, report: FileReport, fast: (utf8: Buffer) => string | undefined): string | undefined {
  const buffer = withoutMark(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const encoding = encodingOf(buffer)
  const valid = encoding !== 'utf-8' || isUtf8(buffer)
  if (!valid) report.note('invalid-utf8', 'The file is not valid UTF-8; bad bytes were replaced.')
  try {
    return (valid && encoding === 'utf-8' ? fast(buffer) : undefined) ?? new TextDecoder(encoding).decode(buffer)
  } catch (error) {
    // Decoders word it differently, but there is nothing else that they refuse.
    if (bytes.length <= constants.MAX_STRING_LENGTH) throw error
    const mebibytes = (length: number) => Math.floor(length / 2 ** 20)
    report.refuse(
      'UNREADABLE_TRACE',
      `The file has ${mebibytes(bytes.length)} MiB, more than the ${mebibytes(constants.MAX_STRING_LENGTH)} MiB that can be read in one piece, and they are not histories that repeat one another. Export the sessions into several files.`,
    )
    return undefined
  }
}

/** A byte order mark of UTF-8 says nothing and is no JSON. Those of UTF-16 are dropped by the decoder. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function encodingOf(bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // JSON begins with an ASCII character; in UTF-16 its other byte is zero.
  if (bytes.length >= 2 && second === 0 && first !== 0) return 'utf-16le'
  return bytes.length >= 2 && first === 0 && second !== 0 ? 'utf-16be' : 'utf-8'
}
