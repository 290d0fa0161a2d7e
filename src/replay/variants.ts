import type { Message } from '../message/index.ts'

/**
 * Altered copies of one session's messages, one object per (message, alteration): a later request that needs the same
 * alteration gets the same object, and with it the bytes the endpoint has already encoded.
 */
export class Variants {
  readonly #made = new Map<Message, Variant>()

  of(message: Message, key: string, make: () => Message): Message {
    const first = this.#made.get(message)
    for (let variant = first; variant !== undefined; variant = variant.next) if (variant.key === key) return variant.message
    const made = make()
    this.#made.set(message, { key, message: made, next: first })
    return made
  }
}

/** A list, for there is rarely a second one: a map for each message would be larger than what it holds. */
interface Variant {
  readonly key: string
  readonly message: Message
  readonly next: Variant | undefined
}
