import { GatheredBody } from './gathered-body.ts'

/** What goes to the connection: shorter bodies in one piece. */
export type RequestBody = Buffer | GatheredBody

/** A body in one piece, where nothing else will do. */
export function wholeBody(body: RequestBody): Buffer {
  return body instanceof GatheredBody ? Buffer.concat(body.pieces) : body
}

/** Bodies up to this size are copied together: that takes less time than to write them piece by piece. */
const LONGEST_JOINED = 16 * 1024
/** In longer ones, pieces from this size on stay where they are. */
export const SHORTEST_SHARED = 2 * 1024
const SLAB_BYTES = 256 * 1024
/** UTF-8 takes no more for one unit of a string. */
const MOST_BYTES_PER_UNIT = 3

/** What is joined lies one behind the other in pieces of memory: to allocate each body would take longer than to write it. */
let slab = Buffer.alloc(0)
let used = 0

/** A body made of its beginning, written anew for each request, and of pieces that were encoded before. Hot path. */
export function joinBody(head: string, pieces: readonly Uint8Array[]): RequestBody {
  let length = head.length * MOST_BYTES_PER_UNIT
  for (const piece of pieces) length += piece.length
  return length <= LONGEST_JOINED ? join(head, pieces, length) : gather(head, pieces)
}

/** @param most no fewer bytes than come of it */
function join(head: string, pieces: readonly Uint8Array[], most: number): Buffer {
  if (used + most > slab.length) {
    slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, most))
    used = 0
  }
  const start = used
  used += slab.write(head, start)
  for (const piece of pieces) {
    slab.set(piece, used)
    used += piece.length
  }
  return slab.subarray(start, used)
}

function gather(head: string, pieces: readonly Uint8Array[]): GatheredBody {
  const gathered: Uint8Array[] = []
  let length = 0
  let small: Uint8Array[] = []
  let smallBytes = head.length * MOST_BYTES_PER_UNIT
  let begin = head
  const joinSmall = () => {
    if (begin === '' && small.length === 0) return
    const joined = join(begin, small, smallBytes)
    gathered.push(joined)
    length += joined.length
    begin = ''
    small = []
    smallBytes = 0
  }
  for (const piece of pieces) {
    if (piece.length < SHORTEST_SHARED) {
      small.push(piece)
      smallBytes += piece.length
      continue
    }
    joinSmall()
    gathered.push(piece)
    length += piece.length
  }
  joinSmall()
  return new GatheredBody(gathered, length)
}
