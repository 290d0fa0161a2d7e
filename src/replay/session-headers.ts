import type { Exchange, Target } from '../endpoint/index.ts'
import type { Call, Scalar, Session } from '../message/index.ts'

/** Which headers a target wants of a session's requests. */
export type HeaderRules = Pick<Target, 'sessionHeader' | 'sessionTokenHeader' | 'attributeHeaders'>

/** Servers commonly refuse a request whose headers exceed some kilobytes. */
const MAX_VALUE_LENGTH = 1_000

/** The headers by which servers and routers know a session, and what its spans say of it. */
export class SessionHeaders {
  readonly #rules: HeaderRules
  readonly #id: string
  readonly #session: Session
  #token: string | undefined

  /** @param id of the session as it is replayed */
  constructor(rules: HeaderRules, id: string, session: Session) {
    this.#rules = rules
    this.#id = id
    this.#session = session
  }

  /** For one request; `undefined` when there are none. */
  of(call: Call): Record<string, string> | undefined {
    const { sessionHeader, sessionTokenHeader, attributeHeaders } = this.#rules
    const headers: Record<string, string> = Object.create(null)
    for (const [header, attribute] of Object.entries(attributeHeaders)) {
      const value = attributeOf(call, this.#session, attribute)
      if (value !== undefined) headers[header] = headerText(value)
    }
    if (sessionHeader !== undefined) headers[sessionHeader] = headerText(this.#id)
    if (sessionTokenHeader !== undefined && this.#token !== undefined) headers[sessionTokenHeader] = this.#token
    return Object.keys(headers).length === 0 ? undefined : headers
  }

  /** Keeps what a router answered, for the requests that follow. */
  see({ sessionToken }: Exchange): void {
    if (sessionToken !== undefined) this.#token = headerText(sessionToken)
  }
}

/** A span's attribute: of the call, else of its session. */
export function attributeOf(call: Call, session: Session, name: string): Scalar | undefined {
  for (const { attributes } of [call, session]) if (Object.hasOwn(attributes, name)) return attributes[name]
  return undefined
}

/** Traces are not trusted: what could end a header, or is no ASCII, is written in percent signs. */
function headerText(value: Scalar): string {
  return String(value)
    .replace(/[^\x20-\x7e]+/g, (text) => encodeURIComponent(Buffer.from(text).toString()))
    .slice(0, MAX_VALUE_LENGTH)
    .trim()
}
