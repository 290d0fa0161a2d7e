import { CollectedBytes } from './collected-bytes.ts'
import { excerpt } from './json-value.ts'
import { ServerSentEventParser } from './server-sent-events.ts'
import type { ResponseFailure, ResponseReader } from './wire-api.ts'

/** A whole answer larger than this comes from no model. */
const MAX_JSON_BYTES = 64 * 1024 * 1024

/** Takes the bytes of a successful response. */
export interface ResponseBody {
  /** How many pieces of output the bytes completed. */
  push(chunk: Buffer): number
  /** No more bytes come. */
  end(): number
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

  push(chunk: Buffer): number {
    if (this.#body !== undefined) return this.#body.push(chunk)
    const first = firstCharacter(chunk)
    if (first === undefined) {
      this.#blank.push(chunk)
      return 0
    }
    this.#body =
      first === BRACE || first === BRACKET || first === ANGLE ? new WholeBody(this.#reader) : new EventBody(this.#reader)
    let outputs = 0
    for (const blank of this.#blank) outputs += this.#body.push(blank)
    return outputs + this.#body.push(chunk)
  }

  end(): number {
    this.#body ??= new EventBody(this.#reader)
    return this.#body.end()
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
  #outputs = 0
  #sawEvent = false
  failure: ResponseFailure | undefined

  constructor(reader: ResponseReader) {
    this.#events = new ServerSentEventParser((data, name) => {
      this.#sawEvent = true
      if (reader.readEvent(data, name)) this.#outputs++
    })
  }

  get strayLine(): string | undefined {
    return this.#events.strayLine
  }

  push(chunk: Buffer): number {
    this.#outputs = 0
    try {
      this.#events.push(chunk)
    } catch (error) {
      this.failure = { label: 'bad_response', message: error instanceof Error ? error.message : String(error) }
    }
    return this.#outputs
  }

  end(): number {
    this.#outputs = 0
    this.#events.end()
    if (!this.#sawEvent && this.strayLine !== undefined) {
      this.failure = { label: 'bad_response', message: `the body is no event stream: ${excerpt(this.strayLine)}` }
    }
    return this.#outputs
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

  push(chunk: Buffer): number {
    if (!this.#collected.add(chunk)) {
      this.failure = { label: 'bad_response', message: `the body is longer than ${MAX_JSON_BYTES} bytes` }
    }
    return 0
  }

  end(): number {
    const text = this.#collected
      .take()
      .toString()
      .replace(/^\uFEFF/, '')
    return this.#reader.readBody(text) ? 1 : 0
  }
}
