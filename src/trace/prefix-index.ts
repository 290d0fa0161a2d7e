import { type Message, matchKey } from '../message/index.ts'

/** Stands for a list of messages: equal lists have equal numbers. */
export type Prefix = number

/**
 * Numbers lists of messages and all their beginnings, so that "the same input" and "a continuation of it" are comparisons of
 * numbers. Messages are told apart by their match key.
 */
export class PrefixIndex {
  static readonly empty: Prefix = 0
  readonly #prefixes = new Map<string, Prefix>()
  readonly #keys = new Map<string, number>()

  extend(prefix: Prefix, message: Message): Prefix {
    const step = `${prefix} ${this.#numberOf(message)}`
    const known = this.#prefixes.get(step)
    if (known !== undefined) return known
    const fresh = this.#prefixes.size + 1
    this.#prefixes.set(step, fresh)
    return fresh
  }

  of(messages: readonly Message[]): Prefix {
    let prefix = PrefixIndex.empty
    for (const message of messages) prefix = this.extend(prefix, message)
    return prefix
  }

  #numberOf(message: Message): number {
    const key = matchKey(message) ?? `empty ${message.role}`
    let number = this.#keys.get(key)
    if (number === undefined) {
      number = this.#keys.size
      this.#keys.set(key, number)
    }
    return number
  }
}
