import { CollectedBytes } from './collected-bytes.ts'
import { excerpt } from './json-value.ts'
import { ServerSentEventParser } from './server-sent-events.ts'
import type { ResponseFailure, ResponseReader } from './wire-api.ts'

/** A whole answer larger than this comes from no model. */
const MAX_JSON_BYTES = 64 * 1024 * 1024

/** Takes the bytes of a successful response. */
export interface ResponseBody {
  push(chunk: Buffer): void
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

  constructor(reader: ResponseReader) {
    this.#reader = reader
  }

  get failure(): ResponseFailure | undefined {
    return this.#body?.failure
  }

  get strayLine(): string | undefined {
    return this.#body?.strayLine
  }

  push(chunk: Buffer): void {
    if (this.#body !== undefined) {
      this.#body.push(chunk)
      return
    }
    const first = firstCharacter(chunk)
    if (first === undefined) {
      this.#blank.push(chunk)
      return
    }
    this.#body =
      first === BRACE || first === BRACKET || first === ANGLE ? new WholeBody(this.#reader) : new EventBody(this.#reader)
    for (const blank of this.#blank) this.#body.push(blank)
    this.#body.push(chunk)
  }

  end(): void {
    this.#body ??= new EventBody(this.#reader)
    this.#body.end()
  }
}

const BRACE = 0x7b
const BRACKET = 0x5b
const ANGLE = 0x3c

/** The first byte that is neither blank nor part of a byte order mark. */
function firstCharacter(chunk: Buffer): number | undefined {
  return chunk.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf)
}

class EventBody implements ResponseBody {
  readonly #events: ServerSentEventParser
  #sawEvent = false
  failure: ResponseFailure | undefined

  constructor(reader: ResponseReader) {
    this.#events = new ServerSentEventParser((data, name) => {
      this.#sawEvent = true
      reader.readEvent(data, name)
    }, reader)
  }

  get strayLine(): string | undefined {
    return this.#events.strayLine
  }

  push(chunk: Buffer): void {
    try {
      this.#events.push(chunk)
    } catch (error) {
      this.failure = { label: 'bad_response', message: error instanceof Error ? error.message : String(error) }
    }
  }

  end(): void {
    this.#events.end()
    if (!this.#sawEvent && this.strayLine !== undefined) {
      this.failure = { label: 'bad_response', message: `the body is no event stream: ${excerpt(this.strayLine)}` }
    }
  }
}

class WholeBody implements ResponseBody {
  readonly #reader: ResponseReader
  readonly #collected = new CollectedBytes(MAX_JSON_BYTES)
  readonly strayLine = undefined
  failure: ResponseFailure | undefined

  constructor(reader: ResponseReader) {
    this.#reader = reader
  }

  push(chunk: Buffer): void {
    if (!this.#collected.add(chunk)) {
      this.failure = { label: 'bad_response', message: `the body is longer than ${MAX_JSON_BYTES} bytes` }
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
