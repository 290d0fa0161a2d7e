/** The text of one object, and bytes that follow it which other objects share. */
export type Encoded = readonly [text: string, shared?: Buffer | undefined]

/** Objects that came up together: their texts lie one behind the other in memory. */
interface Run<Key> {
  readonly keys: readonly Key[]
  readonly memory: Buffer
  /** Where the text of each ends. */
  readonly ends: readonly number[]
  readonly shared: readonly (Buffer | undefined)[]
}

interface RunOptions<Key> {
  readonly complete?: (keys: readonly Key[], fresh: readonly Key[]) => readonly Key[]
  readonly commas?: boolean
}

const COMMA = 0x2c

interface Place<Key> {
  readonly run: Run<Key>
  readonly index: number
}

/**
 * Encodes lists of objects, each object once, for as long as it lives. Those that come up in the same list for the first time
 * lie one behind the other in memory, and go out as one piece in every list that has them in that order: dozens of messages
 * in pieces of their own take longer to send than one of the same size.
 *
 * A long history is mostly runs that are known, and then nothing of its messages is looked at but which ones they are: after
 * the bytes of the call before it have gone through the processor's cache, each look would be a wait for memory.
 *
 * What came up together is kept, the objects and their bytes, until the last of them is gone. It mostly goes together too: it
 * is the history of one session.
 *
 * @param options.complete gives the list that is to be encoded, asked when there are objects in it that were not encoded before
 * @param options.commas whether one goes before each object that has a text
 */
export function encodeInRuns<Key extends object>(
  encode: (key: Key) => Encoded,
  { complete = (keys) => keys, commas = false }: RunOptions<Key> = {},
): (keys: readonly Key[]) => Buffer[] {
  const places = new WeakMap<Key, Place<Key>>()

  const layOut = (keys: readonly Key[]): void => {
    const encoded = keys.map(encode)
    const lead = commas ? 1 : 0
    let bytes = 0
    for (const [text] of encoded) bytes += lead + Buffer.byteLength(text)
    const memory = Buffer.allocUnsafe(bytes)
    let end = 0
    // A comma is written, not put before the text: that would be a copy of all of it.
    const ends = encoded.map(([text]) => {
      if (text === '') return end
      if (commas) memory[end] = COMMA
      end += lead + memory.write(text, end + lead)
      return end
    })
    const run = { keys, memory, ends, shared: encoded.map(([, shared]) => shared) }
    for (let index = 0; index < keys.length; index++) places.set(keys[index] as Key, { run, index })
  }

  /** Adds the pieces of those that are known, and returns the others. Hot path. */
  const collect = (keys: readonly Key[], pieces: Buffer[]): Key[] => {
    const fresh: Key[] = []
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] as Key
      const place = places.get(key)
      if (place === undefined) {
        fresh.push(key)
        continue
      }
      const { run, index } = place
      let last = index
      while (run.shared[last] === undefined && at + 1 < keys.length && run.keys[last + 1] === keys[at + 1]) {
        last++
        at++
      }
      addRun(run, index, last, pieces)
    }
    return fresh
  }

  return (keys) => {
    const pieces: Buffer[] = []
    const fresh = collect(keys, pieces)
    if (fresh.length === 0) return pieces
    const completed = complete(keys, fresh)
    const unknown = completed === keys ? fresh : completed.filter((key) => !places.has(key))
    if (unknown.length > 0) layOut(unknown.length === 1 ? unknown : [...new Set(unknown)])
    pieces.length = 0
    collect(completed, pieces)
    return pieces
  }
}

function addRun<Key>({ memory, ends, shared }: Run<Key>, first: number, last: number, pieces: Buffer[]): void {
  const start = first === 0 ? 0 : (ends[first - 1] ?? 0)
  const end = ends[last] ?? start
  if (end > start) pieces.push(end - start === memory.length ? memory : memory.subarray(start, end))
  const behind = shared[last]
  if (behind !== undefined) pieces.push(behind)
}

/**
 * What stands in a JSON list, of pieces with a comma before each item: it is kept with its item, so that items which follow
 * each other lie side by side.
 *
 * @param pieces changed in place
 */
export function withoutFirstComma(pieces: Buffer[]): Buffer[] {
  const [first] = pieces
  if (first !== undefined) pieces[0] = first.subarray(1)
  return pieces
}
