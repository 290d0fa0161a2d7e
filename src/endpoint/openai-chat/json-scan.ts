/** Reading JSON by its bytes, each given as the character of its number. Hot path: plain loops over character codes. */

const SPACE = 0x20
const QUOTE = 0x22
const ZERO = 0x30
const NINE = 0x39
const BACKSLASH = 0x5c
const TILDE = 0x7e

/** Where something begins that is neither plain ASCII nor may stand in a JSON string as it is. */
export function endOfPlainText(latin1: string, start: number): number {
  let at = start
  for (;;) {
    const char = latin1.charCodeAt(at)
    // Also at the end, where there is no character.
    if (!(char >= SPACE && char <= TILDE) || char === QUOTE || char === BACKSLASH) return at
    at++
  }
}

/** Where the quote stands that ends the JSON string whose inside is at `start`; -1 when none does. */
export function endOfString(latin1: string, start: number): number {
  let at = start
  for (;;) {
    const char = latin1.charCodeAt(at)
    if (char === QUOTE) return at
    if (!(char >= SPACE)) return -1
    at += char === BACKSLASH ? 2 : 1
  }
}

/** Where a number without sign, leading zeros, fraction and exponent ends; `start` when there is none. */
export function endOfWholeNumber(latin1: string, start: number): number {
  let at = start
  for (;;) {
    const char = latin1.charCodeAt(at)
    if (!(char >= ZERO && char <= NINE)) return at
    if (at > start && latin1.charCodeAt(start) === ZERO) return start
    at++
  }
}
