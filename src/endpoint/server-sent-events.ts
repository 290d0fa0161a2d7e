import { type ChunkMemory, memoryOf } from './memory-of-chunks.ts'

/** Takes one event: its data lines joined with newlines, and its `event:` name, empty when it has none. */
export type EventSink = (data: string, name: string) => void

/** Events that can be told by their bytes, so that they need not be put together. */
export interface KnownEvents {
  /**
   * Takes the event in that begins at `start`, if it is known and ends before `limit`, and returns where the next one begins;
   * else -1. The event is one data line and a blank one.
   */
  takeKnown(memory: ChunkMemory, start: number, limit: number): number
}

const LF = 10
const CR = 13
const COLON = 58
const SPACE = 32
const NOTHING = Buffer.alloc(0)
/** What a search says that found nothing. */
const NONE = -1
const NOT_SOUGHT = -2

/** An event longer than this comes from no model: the response is given up before it fills the memory. */
export const MAX_EVENT_BYTES = 32 * 1024 * 1024

/**
 * Reads server-sent events from bytes, cut anywhere. Hot path: one pass over the bytes, no string is made but an event's
 * data; work is linear however large or small the pieces are.
 */
export class ServerSentEventParser {
  readonly #sink: EventSink
  readonly #known: KnownEvents | undefined
  readonly #maxEventBytes: number
  /** The start of a line whose end has not come yet, in the pieces it came in. */
  #partial: Buffer[] = []
  #partialBytes = 0
  /** The last piece ended in CR: an LF at the start of the next belongs to it. */
  #afterCr = false
  #atStart = true
  #data: string | undefined
  #name = ''
  #strayLine: string | undefined

  constructor(sink: EventSink, known?: KnownEvents, maxEventBytes: number = MAX_EVENT_BYTES) {
    this.#sink = sink
    this.#known = known
    this.#maxEventBytes = maxEventBytes
  }

  /** The first line that is no field of an event, to show what came instead of a stream. */
  get strayLine(): string | undefined {
    return this.#strayLine
  }

  /**
   * @param chunks of one read
   * @throws {RangeError} when a line, or the data of one event, exceeds the limit
   */
  push(chunks: readonly Buffer[]): void {
    for (const chunk of chunks) {
      const start = this.#takeKnown(chunk, this.#afterCr ? this.#behindCr(chunk) : 0)
      if (start < chunk.length) this.#readLines(chunk, start)
    }
  }

  /** An LF at the start of a chunk belongs to the CR that the one before ended in. */
  #behindCr(chunk: Buffer): number {
    if (chunk.length === 0) return 0
    this.#afterCr = false
    return chunk[0] === LF ? 1 : 0
  }

  #readLines(chunk: Buffer, from: number): void {
    let start = from
    // Most streams have no CR at all: looked for once per chunk instead of once per line.
    let cr = chunk.indexOf(CR, start)
    let lf = NOT_SOUGHT
    for (;;) {
      // Every other line is the blank one that ends an event: seen without a search.
      if (lf !== NONE && lf < start) lf = chunk[start] === LF ? start : chunk.indexOf(LF, start)
      if (cr !== NONE && (lf === NONE || cr < lf)) {
        this.#endLine(chunk, start, cr)
        start = cr + 1
        if (start === chunk.length) this.#afterCr = true
        else if (chunk[start] === LF) start++
        cr = chunk.indexOf(CR, start)
      } else if (lf !== NONE) {
        this.#endLine(chunk, start, lf)
        start = this.#takeKnown(chunk, lf + 1)
        if (cr !== NONE && cr < start) cr = chunk.indexOf(CR, start)
      } else break
    }
    if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start))
  }

  /** The stream has ended: a last event without its blank line counts. */
  end(): void {
    if (this.#partialBytes > 0) this.#endLine(NOTHING, 0, 0)
    this.#dispatch()
  }

  /** Takes known events as long as one follows the other; returns where the first unknown one begins. */
  #takeKnown(chunk: Buffer, from: number): number {
    const known = this.#known
    if (known === undefined || this.#partialBytes > 0 || this.#data !== undefined || this.#name !== '') return from
    const memory = memoryOf(chunk)
    const offset = chunk.byteOffset
    const limit = offset + chunk.length
    let start = offset + from
    while (start < limit) {
      const next = known.takeKnown(memory, start, limit)
      if (next === -1) break
      this.#atStart = false
      start = next
    }
    return start - offset
  }

  #keep(piece: Buffer): void {
    this.#partial.push(piece)
    this.#partialBytes += piece.length
    this.#limit(this.#partialBytes)
  }

  #limit(size: number): void {
    if (size > this.#maxEventBytes) throw new RangeError(`an event of the stream is longer than ${this.#maxEventBytes} bytes`)
  }

  #endLine(chunk: Buffer, start: number, end: number): void {
    if (this.#partialBytes === 0) {
      this.#line(chunk, start, end)
      return
    }
    this.#keep(chunk.subarray(start, end))
    const line = this.#partial.length === 1 ? (this.#partial[0] ?? NOTHING) : Buffer.concat(this.#partial, this.#partialBytes)
    this.#partial = []
    this.#partialBytes = 0
    this.#line(line, 0, line.length)
  }

  #line(bytes: Buffer, from: number, end: number): void {
    let start = from
    if (this.#atStart) {
      this.#atStart = false
      if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf && start + 3 <= end) start += 3
    }
    if (start === end) {
      this.#dispatch()
      return
    }
    if (isData(bytes, start, end)) {
      const value = bytes.toString('utf8', valueStart(bytes, start + 4, end), end)
      if (this.#data === undefined) this.#data = value
      else {
        this.#data = `${this.#data}\n${value}`
        this.#limit(this.#data.length)
      }
      return
    }
    if (bytes[start] !== COLON) this.#otherField(bytes.toString('utf8', start, end))
  }

  #otherField(line: string): void {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    if (field === 'event') this.#name = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    else if (field !== 'id' && field !== 'retry' && field !== 'data') this.#strayLine ??= line
  }

  #dispatch(): void {
    const data = this.#data
    const name = this.#name
    this.#data = undefined
    this.#name = ''
    if (data !== undefined) this.#sink(data, name)
  }
}

/** `data:…` or a bare `data`; the word alone has an empty value. */
function isData(bytes: Buffer, start: number, end: number): boolean {
  return (
    end - start >= 4 &&
    bytes[start] === 0x64 &&
    bytes[start + 1] === 0x61 &&
    bytes[start + 2] === 0x74 &&
    bytes[start + 3] === 0x61 &&
    (end - start === 4 || bytes[start + 4] === COLON)
  )
}

function valueStart(bytes: Buffer, afterName: number, end: number): number {
  if (afterName >= end) return end
  const afterColon = afterName + 1
  return afterColon < end && bytes[afterColon] === SPACE ? afterColon + 1 : afterColon
}
