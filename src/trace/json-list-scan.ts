/** Where a list stands in JSON text. */
export interface ScannedList {
  /** Keys and positions that lead to it; empty for a text that is a list. */
  readonly path: readonly string[]
  /** Behind its opening bracket. */
  readonly start: number
}

/** Lists deeper than this inside objects are not looked for. */
const DEEPEST = 2

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Finds the first list under one of the keys, or the list that the text is, without parsing what stands before it. Works on text
 * that is JSON and promises nothing for any other.
 */
export function findList(text: string, keys: ReadonlySet<string>): ScannedList | undefined {
  let offset = skipSpace(text, 0)
  if (text.charCodeAt(offset) === OPEN_LIST) return { path: [], start: offset + 1 }
  const path: string[] = []
  let key = ''
  let lists = 0
  for (; offset < text.length; offset++) {
    const char = text.charCodeAt(offset)
    if (char === QUOTE) {
      const end = skipString(text, offset)
      const colon = skipSpace(text, end)
      const isKey = lists === 0 && text.charCodeAt(colon) === COLON
      if (isKey) key = text.slice(offset + 1, end - 1)
      offset = isKey ? colon : end - 1
    } else if (char === OPEN_OBJECT) path.push(key)
    else if (char === CLOSE_OBJECT) path.pop()
    else if (char === CLOSE_LIST) lists -= 1
    else if (char === OPEN_LIST) {
      // The outermost object has no key.
      if (lists === 0 && path.length <= DEEPEST && keys.has(key)) return innerList(text, [...path.slice(1), key], offset + 1)
      lists += 1
    }
  }
  return undefined
}

/** In a list of lists, such as a batch of one, the first. */
function innerList(text: string, path: readonly string[], start: number): ScannedList {
  const first = skipSpace(text, start)
  return text.charCodeAt(first) === OPEN_LIST ? { path: [...path, '0'], start: first + 1 } : { path, start }
}

/** Where the entries of a list end, and where its closing bracket stands; `undefined` when the text ends before. */
export function scanEntries(text: string, start: number): { readonly ends: number[]; readonly close: number } | undefined {
  const ends: number[] = []
  let depth = 0
  for (let offset = skipSpace(text, start); offset < text.length; offset++) {
    const char = text.charCodeAt(offset)
    if (char === QUOTE) offset = skipString(text, offset) - 1
    else if (char === OPEN_LIST || char === OPEN_OBJECT) depth += 1
    else if (char === CLOSE_OBJECT || (char === CLOSE_LIST && depth > 0)) depth -= 1
    else if (depth === 0 && (char === COMMA || char === CLOSE_LIST)) {
      const end = trimSpace(text, offset)
      if (end > start) ends.push(end)
      if (char === CLOSE_LIST) return { ends, close: offset }
    }
  }
  return undefined
}

export function skipSpace(text: string, offset: number): number {
  while (isSpace(text.charCodeAt(offset))) offset += 1
  return offset
}

function trimSpace(text: string, end: number): number {
  while (isSpace(text.charCodeAt(end - 1))) end -= 1
  return end
}

function isSpace(char: number): boolean {
  return char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09
}

/** Behind the closing quote: the next one with an even number of backslashes before it. */
function skipString(text: string, open: number): number {
  let close = open
  for (;;) {
    close = text.indexOf('"', close + 1)
    if (close === -1) return text.length
    let slashes = 0
    while (text.charCodeAt(close - 1 - slashes) === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return close + 1
  }
}
