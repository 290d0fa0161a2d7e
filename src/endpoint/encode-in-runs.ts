/** The text of one object, and bytes that follow it which other objects share. */
export type Encoded = readonly [text: string, shared?: Buffer | undefined]

interface Place {
  readonly memory: Buffer
  readonly start: number
  readonly end: number
  readonly shared: Buffer | undefined
}

/**
 * Encodes lists of objects, each object once, for as long as it lives. Those that come up in the same list for the first time
 * lie one behind the other in memory, and go out as one piece in every list that has them in that order: dozens of messages
 * in pieces of their own take longer to send than one of the same size.
 *
 * Memory is kept until the last of those that lie in it is gone. What is made in one list mostly goes together too: it is
 * the history of one session.
 */
export function encodeInRuns<Key extends object>(encode: (key: Key) => Encoded): (keys: readonly Key[]) => Buffer[] {
  const places = new WeakMap<Key, Place>()

  const layOut = (keys: readonly Key[]): void => {
    const fresh = [...new Set(keys.filter((key) => !places.has(key)))]
    const encoded = fresh.map(encode)
    const memory = Buffer.allocUnsafe(encoded.reduce((bytes, [text]) => bytes + Buffer.byteLength(text), 0))
    let end = 0
    for (const [index, key] of fresh.entries()) {
      const [text, shared] = encoded[index] ?? ['']
      const start = end
      end += memory.write(text, start)
      places.set(key, { memory, start, end, shared })
    }
  }

  const placeOf = (key: Key, keys: readonly Key[]): Place => {
    const known = places.get(key)
    if (known !== undefined) return known
    layOut(keys)
    return placeOf(key, keys)
  }

  /** Hot path. */
  return (keys) => {
    const pieces: Buffer[] = []
    let memory: Buffer = NO_MEMORY
    let start = 0
    let end = 0
    const endRun = (): void => {
      if (end > start) pieces.push(end - start === memory.length ? memory : memory.subarray(start, end))
      start = end
    }
    for (const key of keys) {
      const place = placeOf(key, keys)
      if (place.memory !== memory || place.start !== end) {
        endRun()
        memory = place.memory
        start = place.start
      }
      end = place.end
      if (place.shared === undefined) continue
      endRun()
      pieces.push(place.shared)
    }
    endRun()
    return pieces
  }
}

/**
 * What stands in a JSON list, of pieces with a comma before each item: it is kept with its item, so that items which follow
 * each other lie side by side.
 */
export function withoutFirstComma(pieces: readonly Buffer[]): Buffer[] {
  const [first, ...others] = pieces
  return first === undefined ? [] : [first.subarray(1), ...others]
}

const NO_MEMORY = Buffer.alloc(0)
