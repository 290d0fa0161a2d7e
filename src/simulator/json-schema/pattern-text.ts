import { drawInteger, type Random } from '../../base/index.ts'

const LONGEST_PATTERN = 2_000
const DEEPEST_GROUP = 50
const LONGEST_TEXT = 10_000
/** With so many repetitions more than the fewest a length is looked for. */
const EXTRA_REPETITIONS = [1, 0, ...Array.from({ length: 31 }, (_, i) => i + 2)]

/**
 * Text that matches a regular expression, within the given length. The expression is read, never run: a hostile one costs
 * nothing. Look-around is passed over and back-references match nothing; `undefined` where it cannot be read or the length
 * not be met.
 */
export function textForPattern(pattern: string, random: Random, minLength: number, maxLength: number): string | undefined {
  const root = pattern.length <= LONGEST_PATTERN ? new PatternReader(pattern).read() : undefined
  if (root === undefined) return undefined
  const write = (extra: number) => {
    const writer = new PatternWriter(random, extra)
    writer.write(root)
    return writer.overflowed ? undefined : writer.text
  }
  // Most patterns grow by about as much with each repetition: start where that leads.
  const shortest = write(0)?.length ?? 0
  const growth = Math.max(1, (write(1)?.length ?? 0) - shortest)
  const estimate = Math.max(1, Math.ceil((minLength - shortest) / growth))
  for (const extra of [estimate, ...EXTRA_REPETITIONS]) {
    const text = write(extra)
    if (text !== undefined && text.length >= minLength && text.length <= maxLength) return text
  }
  return undefined
}

/** Ranges of char codes, both ends included. */
type Chars = readonly (readonly [first: number, last: number])[]

type PatternNode =
  | { readonly kind: 'chars'; readonly chars: Chars }
  | { readonly kind: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'either'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly node: PatternNode; readonly min: number; readonly max: number }

const NOTHING: PatternNode = { kind: 'sequence', nodes: [] }
const DIGITS: Chars = [[0x30, 0x39]]
const LOWER: Chars = [[0x61, 0x7a]]
const UPPER: Chars = [[0x41, 0x5a]]
const WORD: Chars = [...LOWER, ...DIGITS, ...UPPER, [0x5f, 0x5f]]
const SPACE: Chars = [[0x20, 0x20]]
const PRINTABLE: Chars = [[0x20, 0x7e]]
const NOT_DIGIT = complement(DIGITS)
const NOT_WORD = complement(WORD)
const NOT_SPACE = complement(SPACE)

const CONTROL_ESCAPES: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }
const CLASS_ESCAPES: Readonly<Record<string, Chars>> = {
  d: DIGITS,
  D: NOT_DIGIT,
  w: WORD,
  W: NOT_WORD,
  s: SPACE,
  S: NOT_SPACE,
}

/** Within what can be printed in ASCII. */
function complement(chars: Chars): Chars {
  const rest: [number, number][] = []
  for (const [first, last] of PRINTABLE) {
    for (let code = first; code <= last; code++) {
      if (!chars.some(([from, to]) => code >= from && code <= to)) rest.push([code, code])
    }
  }
  return rest
}

class PatternReader {
  readonly #pattern: string
  #at = 0
  #depth = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  /** `undefined` for an expression that is none. */
  read(): PatternNode | undefined {
    const node = this.#either()
    return this.#at === this.#pattern.length ? node : undefined
  }

  #either(): PatternNode | undefined {
    if (++this.#depth > DEEPEST_GROUP) return undefined
    const branches: PatternNode[] = []
    do {
      const branch = this.#sequence()
      if (branch === undefined) return undefined
      branches.push(branch)
    } while (this.#take('|'))
    this.#depth--
    return { kind: 'either', branches }
  }

  #sequence(): PatternNode | undefined {
    const nodes: PatternNode[] = []
    while (this.#at < this.#pattern.length && !this.#sees('|') && !this.#sees(')')) {
      const atom = this.#atom()
      const node = atom === undefined ? undefined : this.#quantified(atom)
      if (node === undefined) return undefined
      nodes.push(node)
    }
    return { kind: 'sequence', nodes }
  }

  #atom(): PatternNode | undefined {
    if (this.#take('^') || this.#take('$')) return NOTHING
    if (this.#take('.')) return { kind: 'chars', chars: [...LOWER, ...DIGITS] }
    if (this.#take('[')) return this.#class()
    if (this.#take('(')) return this.#group()
    if (this.#take('\\')) {
      if (this.#take('b') || this.#take('B')) return NOTHING
      const chars = this.#escape()
      return chars === undefined ? undefined : { kind: 'chars', chars }
    }
    if (this.#sees('*') || this.#sees('+') || this.#sees('?')) return undefined
    return { kind: 'chars', chars: this.#literal() }
  }

  #group(): PatternNode | undefined {
    const isLookAround = ['?=', '?!', '?<=', '?<!'].some((opening) => this.#take(opening))
    if (!isLookAround && !this.#take('?:')) this.#takeMatch(/\?<[^>]*>/y)
    const node = this.#either()
    if (!this.#take(')')) return undefined
    return isLookAround ? NOTHING : node
  }

  #quantified(node: PatternNode): PatternNode {
    let min = 1
    let max = 1
    const counts = this.#takeMatch(/\{(\d+)(,?)(\d*)\}/y)
    if (counts !== undefined) {
      const [, fewest, comma, most] = counts
      min = Number(fewest)
      max = comma === '' ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most)
    } else if (this.#take('*')) [min, max] = [0, Number.POSITIVE_INFINITY]
    else if (this.#take('+')) [min, max] = [1, Number.POSITIVE_INFINITY]
    else if (this.#take('?')) [min, max] = [0, 1]
    else return node
    this.#take('?')
    return { kind: 'repeat', node, min, max }
  }

  #class(): PatternNode | undefined {
    const negated = this.#take('^')
    const chars: (readonly [number, number])[] = []
    while (!this.#take(']')) {
      if (this.#at >= this.#pattern.length) return undefined
      const first = this.#classMember()
      if (first === undefined) return undefined
      const start = single(first)
      if (start !== undefined && this.#sees('-') && this.#pattern[this.#at + 1] !== ']') {
        this.#at++
        const last = this.#classMember()
        const end = last === undefined ? undefined : single(last)
        if (end === undefined || end < start) return undefined
        chars.push([start, end])
      } else chars.push(...first)
    }
    return { kind: 'chars', chars: negated ? complement(chars) : chars }
  }

  #classMember(): Chars | undefined {
    if (!this.#take('\\')) return this.#literal()
    if (this.#take('b')) return [[8, 8]]
    return this.#escape()
  }

  #literal(): Chars {
    const code = this.#pattern.charCodeAt(this.#at++)
    return [[code, code]]
  }

  #escape(): Chars | undefined {
    const hex = this.#takeMatch(/x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,4})\}/iy)
    if (hex !== undefined) {
      const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16)
      return [[code, code]]
    }
    // Letters stand for whatever property of Unicode is asked for; most often it is that one.
    const property = this.#takeMatch(/(p)\{[^}]*\}/iy)
    if (property !== undefined) return property[1] === 'p' ? LOWER : DIGITS
    const letter = this.#pattern[this.#at]
    if (letter === undefined || /[1-9k]/.test(letter)) return undefined
    const control = CONTROL_ESCAPES[letter]
    const known = CLASS_ESCAPES[letter] ?? (control === undefined ? undefined : ([[control, control]] as const))
    if (known === undefined) return this.#literal()
    this.#at++
    return known
  }

  #sees(text: string): boolean {
    return this.#pattern.startsWith(text, this.#at)
  }

  #take(text: string): boolean {
    if (!this.#sees(text)) return false
    this.#at += text.length
    return true
  }

  /** @param expression sticky */
  #takeMatch(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const match = expression.exec(this.#pattern) ?? undefined
    if (match !== undefined) this.#at += match[0].length
    return match
  }
}

function single(chars: Chars): number | undefined {
  const [range] = chars
  return chars.length === 1 && range !== undefined && range[0] === range[1] ? range[0] : undefined
}

class PatternWriter {
  readonly #random: Random
  readonly #extra: number
  #repetitions = 0
  text = ''
  /** It became too long, or there was no character to take. */
  overflowed = false

  constructor(random: Random, extraRepetitions: number) {
    this.#random = random
    this.#extra = extraRepetitions
  }

  write(node: PatternNode): void {
    if (this.overflowed) return
    switch (node.kind) {
      case 'chars':
        this.#writeChar(node.chars)
        return
      case 'sequence':
        for (const part of node.nodes) this.write(part)
        return
      case 'either': {
        const branch = node.branches[drawInteger(this.#random, 0, node.branches.length - 1)]
        if (branch !== undefined) this.write(branch)
        return
      }
      case 'repeat': {
        const times = Math.min(node.max, node.min + this.#extra)
        for (let i = 0; i < times && !this.overflowed; i++) this.#repeatOnce(node.node)
      }
    }
  }

  /** Repeating what may be empty for ever must end too. */
  #repeatOnce(node: PatternNode): void {
    if (++this.#repetitions > LONGEST_TEXT) this.overflowed = true
    else this.write(node)
  }

  #writeChar(chars: Chars): void {
    const size = chars.reduce((sum, [first, last]) => sum + last - first + 1, 0)
    let index = drawInteger(this.#random, 0, size - 1)
    for (const [first, last] of chars) {
      if (index <= last - first) {
        this.text += String.fromCharCode(first + index)
        this.overflowed = this.text.length > LONGEST_TEXT
        return
      }
      index -= last - first + 1
    }
    this.overflowed = true
  }
}
