/** A sequence of numbers in [0, 1) that its seed determines. */
export type Random = () => number

/** Folds a number into a 32-bit hash, so that every bit of it can change every bit of the result. */
export function mix(hash: number, value: number): number {
  let mixed = Math.imul((hash ^ value) + 0x7f4a7c15, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  return (mixed ^ (mixed >>> 13)) >>> 0
}

/** Independent sequences come from seeds that differ in any number of `seeds`. */
export function seededRandom(...seeds: readonly number[]): Random {
  let state = seeds.reduce(mix, 0x2545f491)
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number in [min, max]. */
export function drawInteger(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1))
}

/** One of a list that is not empty. */
export function drawOne<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random() * items.length)] ?? items[0]
}

/** Bounds of what is drawn, both included. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** A fixed number as it is. */
export function drawFrom(random: Random, value: number | Range): number {
  return typeof value === 'number' ? value : drawInteger(random, value.min, value.max)
}
