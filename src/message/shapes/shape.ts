import type { Interner } from '../interner.ts'
import type { JsonObject } from '../json.ts'
import type { RawMessage } from '../split.ts'

/**
 * Reads one entry of a message list as one family of APIs writes it.
 *
 * Most APIs differ in their content blocks only: those need a `BlockReader`. A shape is for entries that are no
 * `{ role, content }` object, such as a list in which tool calls are entries of their own. Add a file beside this one and its
 * reader to the list in `index.ts`.
 *
 * @returns `undefined` when the entry is not of this shape
 */
export type MessageShape = (entry: JsonObject, context: ReadMessageContext) => readonly RawMessage[] | undefined

export interface ReadMessageContext {
  readonly interner: Interner
  /** Nothing is dropped silently. */
  readonly report: (problem: MessageProblem) => void
}

/** Something in a message that has no place in the canonical form, and what became of it. */
export interface MessageProblem {
  readonly code: 'unknown-role' | 'unknown-part' | 'unknown-message'
  readonly message: string
}
