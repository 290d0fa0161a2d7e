import { CollectedBytes } from './collected-bytes.ts'
import { excerpt, parseJson } from './json-value.ts'
import { ServerSentEventParser } from './server-sent-events.ts'
import type { ResponseFailure, ResponseReader } from './wire-api.ts'

/** A whole answer larger than this comes from no model. */
const MAX_JSON_BYTES = 64 * 1024 * 1024

/** Takes the bytes of a successful response. */
export interface ResponseBody {
  /** The chunks of one read. Hot path. */
  push(chunks: readonly Buffer[]): void
  /** No more bytes come. */
  end(): void
  /** Content that no reader of the API could make sense of. */
  readonly failure: ResponseFailure | undefined
  /** Something that stood between the events and is none: where a stream breaks off, often the reason. */
  readonly strayLine: string | undefined
}

/**
 * The body of a response, whatever the server made of `stream`: an event stream never begins with a brace, JSON always does,
 * so its first character tells them apart where a content type may lie.
 */
export class SniffedBody implements ResponseBody {
  readonly #reader: ResponseReader
  #body: ResponseBody | undefined
  #blank: Buffer[] = []
  #isEmpty = false

  constructor(reader: ResponseReader) {
    this.#reader = reader
  }

  get failure(): ResponseFailure | undefined {
    return this.#isEmpty ? { label: 'truncated', message: 'the body is empty' } : this.#body?.failure
  }

  get strayLine(): string | undefined {
    return this.#body?.strayLine
  }

  push(chunks: readonly Buffer[]): void {
    if (this.#body !== undefined) {
      this.#body.push(chunks)
      return
    }
    this.#blank.push(...chunks)
    const first = firstCharacter(chunks)
    if (first === undefined) return
    this.#body =
      first === BRACE || first === BRACKET || first === ANGLE ? new WholeBody(this.#reader) : new EventBody(this.#reader)
    this.#body.push(this.#blank)
    this.#blank = []
  }

  end(): void {
    if (this.#body === undefined) this.#isEmpty = true
    else this.#body.end()
  }
}

const BRACE = 0x7b
const BRACKET = 0x5b
const ANGLE = 0x3c
const SPACE = 0x20
const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf]

/** The first byte that is neither blank nor part of a byte order mark. */
function firstCharacter(chunks: readonly Buffer[]): number | undefined {
  for (const chunk of chunks) {
    for (const byte of chunk) if (byte > SPACE && !BYTE_ORDER_MARK.includes(byte)) return byte
  }
  return undefined
}

class EventBody implements ResponseBody {
  readonly #events: ServerSentEventParser
  #sawEvent = false
  #isEnding = false
  failure: ResponseFailure | undefined

  constructor(reader: ResponseReader) {
    this.#events = new ServerSentEventParser((data, name) => {
      this.#sawEvent = true
      if (!this.#isEnding || isWhole(data, name)) reader.readEvent(data, name)
    }, reader)
  }

  get strayLine(): string | undefined {
    return this.#events.strayLine
  }

  push(chunks: readonly Buffer[]): void {
    try {
      this.#events.push(chunks)
    } catch (error) {
      this.failure = { label: 'bad_response', message: error instanceof Error ? error.message : String(error) }
    }
  }

  end(): void {
    this.#isEnding = true
    this.#events.end()
    if (!this.#sawEvent && this.strayLine !== undefined) {
      this.failure = { label: 'bad_response', message: `the body is no event stream: ${excerpt(this.strayLine)}` }
    }
  }
}

/** Whether an event whose blank line never came is all there, or was cut in its midst. */
function isWhole(data: string, name: string): boolean {
  return name === 'error' || data.trim() === '[DONE]' || parseJson(data) !== undefined
}

class WholeBody implements ResponseBody {
  readonly #reader: ResponseReader
  readonly #collected = new CollectedBytes(MAX_JSON_BYTES)
  readonly strayLine = undefined
  failure: ResponseFailure | undefined

  constructor(reader: ResponseReader) {
    this.#reader = reader
  }

  push(chunks: readonly Buffer[]): void {
    for (const chunk of chunks) {
      if (this.#collected.add(chunk)) continue
      this.failure = { label: 'bad_response', message: `the body is longer than ${MAX_JSON_BYTES} bytes` }
      return
    }
  }

  end(): void {
    const text = this.#collected
      .take()
      .toString()
      .replace(/^\uFEFF/, '')
    this.#reader.readBody(text)
  }
}
