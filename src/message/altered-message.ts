import type { Message, Part } from './message.ts'

/** A message that differs from another one by little, which says what the two can share. */
export type Alteration =
  | { readonly kind: 'prefixed'; readonly of: Message; readonly prefix: string }
  | { readonly kind: 'readdressed'; readonly of: Message; readonly id: string }

const alterations = new WeakMap<Message, Alteration>()

/** How a message was made of another one; `undefined` when it was not. */
export function alterationOf(message: Message): Alteration | undefined {
  return alterations.get(message)
}

/** The message with words before its first part, where that is text. */
export function prefixMessage(of: Message, prefix: string): Message {
  const parts = of.parts.map((part, index): Part => {
    return index === 0 && part.type === 'text' ? { type: 'text', text: prefix + part.text } : part
  })
  return altered({ role: of.role, parts }, { kind: 'prefixed', of, prefix })
}

/** The message with its tool results under another call's id. */
export function readdressMessage(message: Message, id: string): Message {
  const parts = message.parts.map((part): Part => (part.type === 'tool_result' ? { ...part, id } : part))
  const before = alterationOf(message)
  return altered(
    { role: message.role, parts },
    { kind: 'readdressed', of: before?.kind === 'readdressed' ? before.of : message, id },
  )
}

function altered(message: Message, alteration: Alteration): Message {
  alterations.set(message, alteration)
  return message
}
