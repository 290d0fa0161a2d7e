/** Values that are remembered at least; then the older half is forgotten. */
const REMEMBERED = 4_096
/** Values with one hint that are compared, the latest first. */
const COMPARED = 64

/**
 * A table in which equal values stand once, each known by its number. Only the latest are remembered: a value that comes
 * again after thousands of others may stand there twice, which costs room and nothing else.
 */
export class Interned<Value> {
  readonly #values: Value[] = []
  readonly #isSame: (a: Value, b: Value) => boolean
  readonly #copy: (value: Value) => Value
  #latest = new Map<string | number, number[]>()
  #earlier = new Map<string | number, number[]>()

  /** @param copy what is kept of a value */
  constructor(isSame: (a: Value, b: Value) => boolean, copy: (value: Value) => Value) {
    this.#isSame = isSame
    this.#copy = copy
  }

  /** @param hint equal for equal values, and for few others */
  numberOf(hint: string | number, value: Value): number {
    const numbers = this.#latest.get(hint) ?? this.#earlier.get(hint)
    if (numbers === undefined) return this.#add(hint, value, [])
    for (let i = numbers.length - 1; i >= 0 && i >= numbers.length - COMPARED; i--) {
      const number = numbers[i] ?? 0
      if (this.#isSame(this.at(number), value)) return number
    }
    return this.#add(hint, value, numbers.slice(-COMPARED))
  }

  /** The one that stands for all that are equal to it. */
  shared(hint: string | number, value: Value): Value {
    return this.at(this.numberOf(hint, value))
  }

  at(number: number): Value {
    return this.#values[number] as Value
  }

  /** Forgets what only helps to find equal values. What comes afterwards stands for itself. */
  settle(): void {
    this.#latest.clear()
    this.#earlier.clear()
  }

  #add(hint: string | number, value: Value, earlier: readonly number[]): number {
    const number = this.#values.push(this.#copy(value)) - 1
    if (this.#latest.size >= REMEMBERED) {
      this.#earlier = this.#latest
      this.#latest = new Map()
    }
    this.#latest.set(hint, [...earlier, number])
    return number
  }
}

/** For plain JSON. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  for (const name of names) {
    if (!isSameJson((a as Fields)[name], (b as Fields)[name])) return false
  }
  return true
}

type Fields = Readonly<Record<string, unknown>>
