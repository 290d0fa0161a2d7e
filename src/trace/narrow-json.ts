import { isAscii } from 'node:buffer'

/**
 * V8 stores a text at one byte a unit, or at two when a single character is beyond Latin-1, and it stores what it parses at the
 * width of the source. One `✓` in a trace would double the memory of all its texts and slow the parser down. JSON allows any
 * character as an escape, so JSON text can be narrow whatever it says.
 */

/** A character that needs two bytes. On a narrow text the engine answers without looking. */
const WIDE = /[\u0100-\uffff]/
const EACH_WIDE = /[\u0100-\uffff]/g

export function isWide(json: string): boolean {
  return WIDE.test(json)
}

/** The same JSON in narrow form. A piece cut out of a wide text may be stored wide without a wide character in it. */
export function narrowed(json: string): string {
  const escaped = json.replace(EACH_WIDE, (unit) => escapeOf(unit, 0))
  return Buffer.from(escaped, 'latin1').toString('latin1')
}

/** Checked at once for ASCII. */
const CHUNK = 16_384
/** Too small to be worth another check. */
const SPLINTER = 32
/** Of more characters than one in so many bytes the copying costs more than it saves. */
const BYTES_PER_ESCAPE = 256

/** Decodes UTF-8 JSON straight into narrow form, one text after another in the same memory. */
export class NarrowDecoder {
  #scratch = Buffer.allocUnsafe(0)

  /**
   * @param bytes valid UTF-8
   * @param open ASCII to put before the text, and `close` after it
   * @returns `undefined` when that does not pay, or would change what the JSON says
   */
  decode(bytes: Buffer, open = '', close = ''): string | undefined {
    const positions = positionsBeyondAscii(bytes)
    if (positions === undefined) return undefined
    if (positions.length === 0 && open === '' && close === '') return bytes.toString('latin1')
    // A character beyond ASCII has two bytes at least, and is escaped as one or two units of six.
    const needed = open.length + bytes.length + positions.length * 10 + close.length
    if (this.#scratch.length < needed) this.#scratch = Buffer.allocUnsafe(needed)
    const narrow = this.#scratch
    let written = narrow.write(open, 'latin1')
    let read = 0
    for (const position of positions) {
      // Behind a backslash, an escape would turn what is no JSON into JSON.
      if (bytes[position - 1] === 0x5c) return undefined
      written += bytes.copy(narrow, written, read, position)
      const lead = bytes[position] ?? 0
      read = position + (lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4)
      const character = bytes.toString('utf8', position, read)
      for (let unit = 0; unit < character.length; unit++) written += narrow.write(escapeOf(character, unit), written, 'latin1')
    }
    written += bytes.copy(narrow, written, read)
    written += narrow.write(close, written, 'latin1')
    return narrow.toString('latin1', 0, written)
  }
}

/** @returns `undefined` when there are so many of them that escaping does not pay */
function positionsBeyondAscii(bytes: Buffer): number[] | undefined {
  const positions: number[] = []
  for (let start = 0; start < bytes.length; start += CHUNK) {
    findNonAscii(bytes, start, Math.min(start + CHUNK, bytes.length), positions)
    if (positions.length * BYTES_PER_ESCAPE > bytes.length) return undefined
  }
  return positions
}

/** The positions at which characters beyond ASCII begin, found by halves: the engine checks a range faster than any loop. */
function findNonAscii(bytes: Buffer, start: number, end: number, positions: number[]): void {
  if (isAscii(bytes.subarray(start, end))) return
  if (end - start > SPLINTER) {
    const middle = (start + end) >> 1
    findNonAscii(bytes, start, middle, positions)
    findNonAscii(bytes, middle, end, positions)
    return
  }
  for (let position = start; position < end; position++) if ((bytes[position] ?? 0) >= 0xc0) positions.push(position)
}

function escapeOf(text: string, unit: number): string {
  return `\\u${text.charCodeAt(unit).toString(16).padStart(4, '0')}`
}
