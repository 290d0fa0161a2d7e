import { type Message, matchKey } from '../message/index.ts'

/** The empty history. */
export const NO_HISTORY = 0

/** Numbers of messages stay below this, so that a history and a message make one exact number. */
const MESSAGE_RADIX = 2 ** 26

/**
 * Every distinct run of messages from the start of a call is one number (a node of a trie), so that "these messages open
 * that call" is one comparison however long they are. Messages count as equal when their match keys are: formatting,
 * tool-call ids and dropped reasoning do not break a lineage.
 */
export class HistoryTrie {
  readonly #numbers = new Map<Message | string, number>()
  readonly #numberOf = new Map<Message, number>()
  readonly #children = new Map<number, number>()

  /** Equal numbers mean equal messages. */
  numberOf(message: Message): number {
    const known = this.#numberOf.get(message)
    if (known !== undefined) return known
    const identity = matchKey(message) ?? message
    const number = this.#numbers.get(identity) ?? this.#numbers.size
    this.#numbers.set(identity, number)
    this.#numberOf.set(message, number)
    return number
  }

  /** The history with one more message, given by its number. */
  extend(history: number, message: number): number {
    const key = history * MESSAGE_RADIX + message
    const known = this.#children.get(key)
    if (known !== undefined) return known
    const made = this.#children.size + 1
    this.#children.set(key, made)
    return made
  }
}

/**
 * How many messages before `place` another input shares, counted from the start and back from the place; at most `limit` each
 * way, since this only breaks ties between equal answers. Messages are given by their numbers.
 */
export function sharedContext(messages: readonly number[], place: number, other: readonly number[], limit: number): number {
  const most = Math.min(place, other.length)
  let fromStart = 0
  while (fromStart < most && fromStart < limit && messages[fromStart] === other[fromStart]) fromStart++
  const left = Math.min(most - fromStart, limit)
  let back = 0
  while (back < left && messages[place - 1 - back] === other[other.length - 1 - back]) back++
  return fromStart + back
}
