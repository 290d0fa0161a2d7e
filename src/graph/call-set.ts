/** A set of calls by rank: a bit each, so that the ancestors of one call join those of another in a few machine words. */
export class CallSet {
  readonly #words: Uint32Array

  /** @param size ranks below it fit in */
  constructor(size: number) {
    this.#words = new Uint32Array((size + 31) >>> 5)
  }

  add(rank: number): void {
    const word = rank >>> 5
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (rank & 31))
  }

  has(rank: number): boolean {
    return ((this.#words[rank >>> 5] ?? 0) & (1 << (rank & 31))) !== 0
  }

  /** Members of the other set that lie beyond this one's size are left out. */
  addAll(other: CallSet): void {
    const words = this.#words
    const others = other.#words
    const length = Math.min(words.length, others.length)
    for (let k = 0; k < length; k++) words[k] = (words[k] ?? 0) | (others[k] ?? 0)
  }

  deleteAll(other: CallSet): void {
    const words = this.#words
    const others = other.#words
    const length = Math.min(words.length, others.length)
    for (let k = 0; k < length; k++) words[k] = (words[k] ?? 0) & ~(others[k] ?? 0)
  }

  /**
   * The highest rank that is in this set and not in `except`; -1 when there is none.
   *
   * @param from no such rank is higher: where to begin
   */
  highestOutside(except: CallSet, from: number): number {
    for (let k = from >>> 5; k >= 0; k--) {
      const word = (this.#words[k] ?? 0) & ~(except.#words[k] ?? 0)
      if (word !== 0) return k * 32 + 31 - Math.clz32(word)
    }
    return -1
  }
}
