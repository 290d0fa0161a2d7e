/**
 * Which blocks of tokens the server still has processed. Blocks are known by hashes that cover their whole prefix; the
 * least recently used make room.
 */
export class PrefixCache {
  readonly #capacity: number
  // Insertion order is order of use, the oldest first.
  readonly #blocks = new Set<number>()

  constructor(capacityInBlocks: number) {
    this.#capacity = capacityInBlocks
  }

  get size(): number {
    return this.#blocks.size
  }

  /** How many leading blocks are known; they count as used now. */
  use(blockHashes: readonly number[]): number {
    let known = 0
    for (const hash of blockHashes) {
      if (!this.#blocks.has(hash)) break
      known++
    }
    this.#touch(blockHashes, known)
    return known
  }

  add(blockHashes: readonly number[]): void {
    // What lies beyond the capacity could only push out its own prefix.
    this.#touch(blockHashes, Math.min(blockHashes.length, this.#capacity))
    for (const oldest of this.#blocks) {
      if (this.#blocks.size <= this.#capacity) break
      this.#blocks.delete(oldest)
    }
  }

  /** From the last to the first: a prefix must outlive its continuation, which is worthless without it. */
  #touch(blockHashes: readonly number[], count: number): void {
    for (let i = count - 1; i >= 0; i--) {
      const hash = blockHashes[i]
      if (hash === undefined) continue
      this.#blocks.delete(hash)
      this.#blocks.add(hash)
    }
  }
}
