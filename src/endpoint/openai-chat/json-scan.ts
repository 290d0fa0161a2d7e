/** Reading JSON by its bytes. Hot path: plain loops, which end at `limit` at the latest. */

const SPACE = 0x20
const QUOTE = 0x22
const ZERO = 0x30
const NINE = 0x39
const BACKSLASH = 0x5c
const TILDE = 0x7e

/** Where something begins that is neither plain ASCII nor may stand in a JSON string as it is. */
export function endOfPlainText(bytes: Buffer, start: number, limit: number): number {
  let at = start
  while (at < limit) {
    const byte = bytes[at] as number
    if (byte < SPACE || byte > TILDE || byte === QUOTE || byte === BACKSLASH) return at
    at++
  }
  return at
}

/** Where the quote stands that ends the JSON string whose inside is at `start`; -1 when none does. */
export function endOfString(bytes: Buffer, start: number, limit: number): number {
  let at = start
  while (at < limit) {
    const byte = bytes[at] as number
    if (byte === QUOTE) return at
    if (byte < SPACE) return -1
    at += byte === BACKSLASH ? 2 : 1
  }
  return -1
}

/** Where a number without sign, leading zeros, fraction and exponent ends; `start` when there is none. */
export function endOfWholeNumber(bytes: Buffer, start: number, limit: number): number {
  let at = start
  while (at < limit) {
    const byte = bytes[at] as number
    if (byte < ZERO || byte > NINE) return at
    if (at > start && bytes[start] === ZERO) return start
    at++
  }
  return at
}
