import { hash } from 'node:crypto'
import type { Message, Part, Role } from './message.ts'
import type { MessagePool } from './message-pool.ts'

/**
 * V8 hashes a string beyond 16,383 units by its length alone. Tool outputs cut to one length would then all meet in one
 * bucket of a map and be compared pairwise; such texts are looked up by a digest instead.
 */
const LONGEST_KEY = 16_000

interface Text {
  readonly text: string
  readonly number: number
}

/**
 * Makes equal messages one frozen object, and equal texts one string. It holds on to all it has seen: let go of it when the
 * sessions it was made for have been read.
 */
export class Interner {
  readonly #pool: MessagePool | undefined
  readonly #texts = new Map<string, Text>()
  readonly #messages = new Map<string, Message>()

  /** @param pool messages shared with other interners of the same input set */
  constructor(pool?: MessagePool) {
    this.#pool = pool
  }

  message(role: Role, parts: readonly Part[]): Message {
    let key: string = role
    for (const part of parts) key += this.#keyOf(part)
    const known = this.#messages.get(key)
    if (known !== undefined) return known
    const fresh = Object.freeze({ role, parts: Object.freeze(parts.map((part) => Object.freeze(this.#sharingTexts(part)))) })
    const message = this.#pool?.share(fresh) ?? fresh
    this.#messages.set(key, message)
    return message
  }

  #keyOf(part: Part): string {
    switch (part.type) {
      case 'text':
        return ` t${this.#text(part.text).number}`
      case 'reasoning':
        return ` r${this.#text(part.text).number}`
      case 'tool_call':
        return ` c${this.#text(part.id).number},${this.#text(part.name).number},${this.#text(part.arguments).number}`
      case 'tool_result':
        return ` o${this.#text(part.id).number},${this.#text(part.content).number}`
      case 'media': {
        const kind = 'uri' in part.source ? 'u' : 'd'
        const source = 'uri' in part.source ? part.source.uri : part.source.data
        return ` ${kind}${part.modality},${this.#text(part.mime).number},${this.#text(source).number}`
      }
    }
  }

  #sharingTexts(part: Part): Part {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return { type: part.type, text: this.#text(part.text).text }
      case 'tool_call':
        return {
          type: 'tool_call',
          id: this.#text(part.id).text,
          name: this.#text(part.name).text,
          arguments: this.#text(part.arguments).text,
        }
      case 'tool_result':
        return { type: 'tool_result', id: this.#text(part.id).text, content: this.#text(part.content).text }
      case 'media': {
        const { modality, source } = part
        const shared = 'uri' in source ? { uri: this.#text(source.uri).text } : { data: this.#text(source.data).text }
        return { type: 'media', modality, mime: this.#text(part.mime).text, source: Object.freeze(shared) }
      }
    }
  }

  #text(text: string): Text {
    const key = text.length > LONGEST_KEY ? hash('sha256', text, 'base64') : text
    let known = this.#texts.get(key)
    if (known === undefined) {
      known = { text, number: this.#texts.size }
      this.#texts.set(key, known)
    }
    return known
  }
}
