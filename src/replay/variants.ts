import type { Message } from '../message/index.ts'

/**
 * Altered copies of messages, one object per (message, alteration): a later request that needs the same alteration gets
 * the same object, and with it the bytes the endpoint has already encoded.
 */
export class Variants {
  readonly #made = new WeakMap<Message, Map<string, Message>>()

  of(message: Message, key: string, make: () => Message): Message {
    let variants = this.#made.get(message)
    if (variants === undefined) {
      variants = new Map()
      this.#made.set(message, variants)
    }
    let variant = variants.get(key)
    if (variant === undefined) {
      variant = make()
      variants.set(key, variant)
    }
    return variant
  }
}
