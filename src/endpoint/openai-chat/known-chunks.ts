import { isObject, type JsonObject, parseJson } from '../json-value.ts'
import { type KnownChunk, meaningOf } from './chunk-meaning.ts'

interface Pattern {
  /** Sticky. Its text is in the first group when it stands there as it is, in the second when it has to be decoded. */
  readonly form: RegExp
  readonly meaning: KnownChunk
  /** How many characters stand behind the text, the end of the event left out; `undefined` when that may differ. */
  readonly behindText: number | undefined
  /** What came last after chunks of this form. */
  next: Pattern | undefined
}

const MAX_PATTERNS = 16
/** Learning must pay: a server whose chunks differ in other ways is left to the parser. */
const LESSONS_BEFORE_JUDGEMENT = 200

const EVENT_BEGIN = 'data: ?'
const EVENT_END = '(?:\n\n|\r\n\r\n)'
/** The inside of a JSON string, its bytes read as latin1: plain ASCII, or with escapes and other bytes. */
const TEXT = '(?:([ !#-\\[\\]-~]*)|([^"\\\\\\x00-\\x1f]*(?:\\\\.[^"\\\\\\x00-\\x1f]*)*))(?=")'
/** Anything that may be an object: parsed to see. */
const OBJECT = '(\\{[ -~]*\\})'
const IGNORED_TEXT = '[ !#-\\[\\]-~]*'
const IGNORED_NUMBER = '(?:0|[1-9][0-9]*)'

/**
 * The chunks of a server differ from one another in little but the text they carry, their id and their time. Their form is
 * remembered, so that most chunks are recognised and never parsed: a fifth of the work, on what a client spends most of its
 * time.
 *
 * This is exact. A form is made from a chunk that was parsed, without escapes outside its text and with each of its values
 * that may change behind a key that occurs once, so that there is no doubt where they stand. Bytes of the same form, with
 * the inside of a JSON string or a number in those places, parse to the same chunk with those values. Anything else is no
 * match.
 */
export class KnownChunks {
  readonly #patterns: Pattern[] = []
  #hits = 0
  #lessons = 0
  #found: Pattern | undefined
  #text = ''
  #textStart = -1
  #usage: JsonObject | undefined

  /** What the chunk found last does. */
  get meaning(): KnownChunk | undefined {
    return this.#found?.meaning
  }

  /** What the usage chunk found last holds. */
  get usage(): JsonObject | undefined {
    return this.#usage
  }

  /** The text of the chunk found last. */
  get text(): string {
    return this.#text
  }

  /** Where that text stands, if it stands there as it is, and if this can be told; else -1. */
  get textStart(): number {
    return this.#textStart
  }

  /**
   * Where the event that begins at `start` ends, if its chunk is like one learned; else -1. Hot path.
   *
   * @param latin1 the bytes, each as the character of its number
   * @param limit where they end
   */
  find(latin1: string, start: number, limit: number): number {
    // A server's chunks follow one another as they did before.
    const before = this.#found
    let found = before?.next ?? before
    let end = found === undefined ? -1 : this.#match(found, latin1, start, limit)
    for (let index = 0; end === -1 && index < this.#patterns.length; index++) {
      const pattern = this.#patterns[index]
      if (pattern === undefined || pattern === found) continue
      end = this.#match(pattern, latin1, start, limit)
      if (end !== -1) found = pattern
    }
    if (end === -1) return -1
    this.#hits++
    this.#found = found
    if (before !== undefined && found !== before) before.next = found
    return end
  }

  /** Remembers a chunk, if all it does is add to one text, or nothing but what every such chunk does. */
  learn(data: string, chunk: JsonObject): void {
    const givenUp = this.#lessons > LESSONS_BEFORE_JUDGEMENT && this.#hits < this.#lessons
    if (givenUp) return
    const meaning = meaningOf(chunk)
    const pattern = meaning && patternOf(Buffer.from(data).toString('latin1'), chunk, meaning)
    if (pattern === undefined) return
    this.#lessons++
    // A chunk that came in pieces was not found though it is known.
    if (this.#patterns.some(({ form }) => form.source === pattern.form.source)) return
    this.#patterns.unshift(pattern)
    if (this.#patterns.length > MAX_PATTERNS) this.#patterns.pop()
  }

  #match({ form, meaning, behindText }: Pattern, latin1: string, start: number, limit: number): number {
    form.lastIndex = start
    const match = form.exec(latin1)
    if (match === null || form.lastIndex > limit) return -1
    const [, plain] = match
    if (meaning.hasUsage) {
      const usage = parseJson(plain ?? '')?.value
      if (!isObject(usage)) return -1
      this.#usage = usage
      this.#textStart = -1
      return form.lastIndex
    }
    const text = plain ?? decode(match[2] ?? '')
    if (text === undefined) return -1
    const end = form.lastIndex
    this.#text = text
    this.#textStart =
      plain === undefined || behindText === undefined ? -1 : end - lengthOfEnd(latin1, end) - behindText - plain.length
    return end
  }
}

function lengthOfEnd(latin1: string, end: number): number {
  return latin1[end - 2] === '\r' ? 4 : 2
}

function decode(latin1: string): string | undefined {
  const text = Buffer.from(latin1, 'latin1').toString()
  const value = text.includes('\\') ? parseJson(`"${text}"`)?.value : text
  return typeof value === 'string' ? value : undefined
}

function patternOf(data: string, chunk: JsonObject, meaning: KnownChunk): Pattern | undefined {
  const { place, hasUsage } = meaning
  const text = place && stretchOf(data, place.field, '"((?:[^"\\\\]|\\\\.)*)"', TEXT)
  if (place !== undefined && text === undefined) return undefined
  const usage = hasUsage ? objectStretchOf(data, 'usage') : undefined
  if (hasUsage && usage === undefined) return undefined
  const id = typeof chunk.id === 'string' ? stretchOf(data, 'id', '"([^"\\\\]*)"', IGNORED_TEXT) : undefined
  const created = typeof chunk.created === 'number' ? stretchOf(data, 'created', '([0-9]+)(?=[,}])', IGNORED_NUMBER) : undefined

  let form = ''
  let from = 0
  const stretches = [text, usage, id, created].filter((stretch) => stretch !== undefined)
  for (const { start, end, may } of stretches.sort((a, b) => a.start - b.start)) {
    const literal = data.slice(from, start)
    if (literal.includes('\\')) return undefined
    form += asLiteral(literal) + may
    from = end
  }
  if (data.includes('\\', from)) return undefined
  return {
    form: new RegExp(EVENT_BEGIN + form + asLiteral(data.slice(from)) + EVENT_END, 'y'),
    meaning,
    behindText: text?.end === from ? data.length - from : undefined,
    next: undefined,
  }
}

/** Where a value stands, and what may stand there in another chunk. */
interface Stretch {
  readonly start: number
  readonly end: number
  readonly may: string
}

/** The value of a key that occurs once. */
function stretchOf(data: string, key: string, value: string, may: string): Stretch | undefined {
  const quoted = `"${key}"`
  if (data.indexOf(quoted) !== data.lastIndexOf(quoted)) return undefined
  const [start, end] = new RegExp(`${quoted} ?: ?${value}`, 'd').exec(data)?.indices?.[1] ?? []
  return start === undefined || end === undefined ? undefined : { start, end, may }
}

/** The same for an object: it ends with the first brace that makes it JSON. */
function objectStretchOf(data: string, key: string): Stretch | undefined {
  const start = stretchOf(data, key, '(\\{)', OBJECT)?.start
  if (start === undefined) return undefined
  for (let brace = data.indexOf('}', start); brace !== -1; brace = data.indexOf('}', brace + 1)) {
    const end = brace + 1
    if (parseJson(data.slice(start, end)) !== undefined) return { start, end, may: OBJECT }
  }
  return undefined
}

function asLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
