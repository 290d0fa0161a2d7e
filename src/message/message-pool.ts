import { hash } from 'node:crypto'
import type { Message } from './message.ts'

/**
 * What the interners of one input set share: a message that stands in several files is one object, for as long as some
 * session still holds it. The pool itself keeps no message alive.
 */
export class MessagePool {
  readonly #messages = new Map<string, WeakRef<Message>>()
  readonly #dropped = new FinalizationRegistry<string>((key) => {
    // A later file may have brought the message back under the same key.
    if (this.#messages.get(key)?.deref() === undefined) this.#messages.delete(key)
  })

  /** The equal message that is already held somewhere, else this one. */
  share(message: Message): Message {
    const key = exactKey(message)
    const known = this.#messages.get(key)?.deref()
    if (known !== undefined) return known
    this.#messages.set(key, new WeakRef(message))
    this.#dropped.register(message, key)
    return message
  }
}

/** Unlike a match key, it tells apart all that differs: reasoning, ids, white space, the order of parts. */
function exactKey({ role, parts }: Message): string {
  let form: string = role
  // An interner writes the fields of a part in one order, and fields carry their length: no two messages look the same.
  for (const part of parts) {
    for (const field of Object.values(part) as (string | object)[]) {
      const text = typeof field === 'string' ? field : JSON.stringify(field)
      form += ` ${text.length}:${text}`
    }
  }
  return hash('sha256', form, 'base64')
}
