/** A text must be this long to be recognised inside another one. */
export const WINDOW_LENGTH = 64

/** Odd, so that powers never vanish modulo 2^32. */
const BASE = 0x01000193

/** Where a pattern stands in a text, in UTF-16 units. */
export interface Occurrence {
  readonly pattern: string
  readonly start: number
  readonly end: number
}

/**
 * Finds any of many patterns in a text in one pass, however many patterns there are: a rolling hash of the last
 * {@link WINDOW_LENGTH} characters is looked up among the patterns' beginnings. What the hash proposes is verified.
 */
export class TextSearch {
  readonly #patterns = new Set<string>()
  /** Hash of a pattern's first window → the patterns that begin so, longest first. */
  readonly #byBeginning = new Map<number, { readonly pattern: string; readonly hash: number }[]>()
  /** A bit per hash of 16 bits: most positions of a text are settled here. */
  readonly #mayBegin = new Uint8Array(2 ** 16)
  #prefixes = new Uint32Array(0)
  #powers = new Uint32Array([1])

  /** @param pattern of at least {@link WINDOW_LENGTH} characters; shorter ones are not found */
  add(pattern: string): void {
    if (pattern.length < WINDOW_LENGTH || this.#patterns.has(pattern)) return
    this.#patterns.add(pattern)
    this.#hashPrefixes(pattern)
    const beginning = this.#hashOf(0, WINDOW_LENGTH)
    const entry = { pattern, hash: this.#hashOf(0, pattern.length) }
    const entries = this.#byBeginning.get(beginning)
    if (entries === undefined) this.#byBeginning.set(beginning, [entry])
    else entries.splice(insertionPoint(entries, pattern.length), 0, entry)
    this.#mayBegin[beginning >>> 16] = 1
  }

  /** Leftmost first, the longest at each place, without overlaps. */
  find(text: string): Occurrence[] {
    const found: Occurrence[] = []
    if (this.#patterns.size === 0 || text.length < WINDOW_LENGTH) return found
    this.#hashPrefixes(text)
    const last = text.length - WINDOW_LENGTH
    for (let start = 0; start <= last; start++) {
      const hash = this.#hashOf(start, start + WINDOW_LENGTH)
      if (this.#mayBegin[hash >>> 16] === 0) continue
      const pattern = this.#patternAt(text, start, hash)
      if (pattern === undefined) continue
      found.push({ pattern, start, end: start + pattern.length })
      start += pattern.length - 1
    }
    return found
  }

  #patternAt(text: string, start: number, beginning: number): string | undefined {
    for (const { pattern, hash } of this.#byBeginning.get(beginning) ?? []) {
      const end = start + pattern.length
      // The hash of the whole pattern first: a text of one repeated letter must not cost its square.
      if (end <= text.length && this.#hashOf(start, end) === hash && text.startsWith(pattern, start)) return pattern
    }
    return undefined
  }

  /** Prefix hashes of a text: from them, the hash of any stretch is one subtraction. */
  #hashPrefixes(text: string): void {
    if (this.#prefixes.length <= text.length) this.#prefixes = new Uint32Array(grown(text.length))
    this.#growPowers(text.length)
    const prefixes = this.#prefixes
    let hash = 0
    prefixes[0] = 0
    for (let k = 0; k < text.length; k++) {
      hash = (Math.imul(hash, BASE) + text.charCodeAt(k) + 1) | 0
      prefixes[k + 1] = hash
    }
  }

  #hashOf(start: number, end: number): number {
    const before = this.#prefixes[start] ?? 0
    return ((this.#prefixes[end] ?? 0) - Math.imul(before, this.#powers[end - start] ?? 0)) >>> 0
  }

  #growPowers(length: number): void {
    const known = this.#powers
    if (known.length > length) return
    const powers = new Uint32Array(grown(length))
    powers.set(known)
    for (let k = known.length; k < powers.length; k++) powers[k] = Math.imul(powers[k - 1] ?? 0, BASE)
    this.#powers = powers
  }
}

function grown(length: number): number {
  return Math.max(1024, 2 ** Math.ceil(Math.log2(length + 2)))
}

function insertionPoint(entries: readonly { readonly pattern: string }[], length: number): number {
  const index = entries.findIndex((entry) => entry.pattern.length < length)
  return index < 0 ? entries.length : index
}
