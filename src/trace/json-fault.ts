/** Where JSON text stops being JSON. */
export interface JsonFault {
  /** Index into the text, in UTF-16 units; the text's length when it ends too early. */
  readonly offset: number
  /** Well-formed as far as it goes: the end is missing. */
  readonly cutOff: boolean
}

/**
 * Finds the first fault in text that `JSON.parse` refused; engines word and place their messages differently. It keeps its own
 * stack of open brackets, so that depth costs nothing.
 */
export function findJsonFault(text: string): JsonFault {
  const open: string[] = []
  let expected: 'value' | 'value or end' | 'key' | 'key or end' | 'separator' = 'value'
  let offset = skipSpace(text, 0)
  while (offset < text.length) {
    const char = text.charAt(offset)
    const closes = char === open.at(-1) && (expected === 'separator' || expected.endsWith('or end'))
    if (closes) {
      open.pop()
      offset += 1
      expected = 'separator'
    } else if (expected === 'separator') {
      if (open.length === 0 || char !== ',') return { offset, cutOff: false }
      offset += 1
      expected = open.at(-1) === '}' ? 'key' : 'value'
    } else if (expected === 'key' || expected === 'key or end') {
      const key = char === '"' ? scanString(text, offset) : { stop: offset, whole: false }
      if (!key.whole) return faultAt(text, key.stop)
      offset = skipSpace(text, key.stop)
      if (text[offset] !== ':') return faultAt(text, offset)
      offset += 1
      expected = 'value'
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']')
      offset += 1
      expected = char === '{' ? 'key or end' : 'value or end'
    } else {
      const scalar = char === '"' ? scanString(text, offset) : scanWord(text, offset)
      if (!scalar.whole) return faultAt(text, scalar.stop)
      offset = scalar.stop
      expected = 'separator'
    }
    offset = skipSpace(text, offset)
  }
  return faultAt(text, text.length)
}

function faultAt(text: string, offset: number): JsonFault {
  return { offset: Math.min(offset, text.length), cutOff: offset >= text.length }
}

/** `stop` is behind the scalar, or at the fault in it; behind the text when more was to come. */
interface Scan {
  readonly stop: number
  readonly whole: boolean
}

const SPACE = /[ \t\n\r]*/y
const NOT_PLAIN = /["\\\u0000-\u001f]/g
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-f]{4})/iy
const BEGUN_ESCAPE = /^\\(?:u[0-9a-f]{0,3})?$/i
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?/iy
const BEGUN_WORD = /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-|-?\d+\.|-?\d+(?:\.\d+)?e[+-]?)$/i

function skipSpace(text: string, offset: number): number {
  SPACE.lastIndex = offset
  SPACE.test(text)
  return SPACE.lastIndex
}

function scanString(text: string, start: number): Scan {
  let offset = start + 1
  for (;;) {
    NOT_PLAIN.lastIndex = offset
    const found = NOT_PLAIN.exec(text)
    if (found === null) return { stop: text.length, whole: false }
    if (found[0] === '"') return { stop: found.index + 1, whole: true }
    ESCAPE.lastIndex = found.index
    if (found[0] !== '\\' || !ESCAPE.test(text)) {
      const begun = BEGUN_ESCAPE.test(text.slice(found.index, found.index + 7))
      return { stop: begun ? text.length : found.index, whole: false }
    }
    offset = ESCAPE.lastIndex
  }
}

function scanWord(text: string, start: number): Scan {
  if (BEGUN_WORD.test(text.slice(start, start + 400))) return { stop: text.length, whole: false }
  WORD.lastIndex = start
  return WORD.test(text) ? { stop: WORD.lastIndex, whole: true } : { stop: start, whole: false }
}
