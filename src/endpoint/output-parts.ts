import type { Message, Part } from '../message/index.ts'
import { GrowingText } from './growing-text.ts'

type Kind = 'text' | 'reasoning' | 'tool_call'

interface OpenPart {
  readonly kind: Kind
  /** Text, reasoning, or the arguments of a call. */
  readonly text: GrowingText
  id: string
  name: string
}

/** The parts of an answer that numbers its pieces, put together from what adds to each. */
export class OutputParts {
  readonly #parts = new Map<string, OpenPart>()

  get isEmpty(): boolean {
    for (const part of this.#parts.values()) if (part.kind === 'tool_call' || !part.text.isEmpty) return false
    return true
  }

  has(place: string): boolean {
    return this.#parts.has(place)
  }

  /** The text at that place so far. */
  textAt(place: string): string {
    return this.#parts.get(place)?.text.toString() ?? ''
  }

  /** Begins a tool call: output by itself. */
  beginCall(place: string, id: string, name: string): void {
    this.#parts.set(place, { kind: 'tool_call', text: new GrowingText(), id, name })
  }

  /** `true` when it added something. */
  add(place: string, kind: Kind, text: string): boolean {
    if (text === '') return false
    const part = this.#parts.get(place)
    if (part === undefined) this.#parts.set(place, { kind, text: GrowingText.of(text), id: '', name: '' })
    else part.text.add(text)
    return true
  }

  /** @param inventId gives an id to a call that has none, or one that an earlier call has */
  message(inventId: () => string): Message {
    const taken = new Set<string>()
    const parts: Part[] = []
    for (const { kind, text, id: given, name } of this.#parts.values()) {
      if (kind === 'tool_call') {
        const id = given === '' || taken.has(given) ? inventId() : given
        taken.add(id)
        parts.push({ type: 'tool_call', id, name, arguments: text.toString() })
      } else if (!text.isEmpty) parts.push({ type: kind, text: text.toString() })
    }
    return { role: 'assistant', parts }
  }
}
