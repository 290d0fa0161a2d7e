import { isJsonObject, type JsonObject } from '../message/index.ts'

const MESSAGE_KEYS = ['role', 'parts', 'content', 'text', 'message', 'choices', 'tool_calls', 'function_call', 'type']

/**
 * The messages a recorded output consists of, each with a role: a message, a list of them, a provider's response with
 * `choices`, choices by themselves, or an object with nothing but `text` or `content`.
 *
 * @returns `undefined` when the value is no message at all, but for instance a structured answer
 */
export function outputEntries(data: unknown): unknown[] | undefined {
  const entries = Array.isArray(data) ? data : [data]
  if (
    !entries.every(
      (entry) => typeof entry === 'string' || (isJsonObject(entry) && MESSAGE_KEYS.some((key) => Object.hasOwn(entry, key))),
    )
  ) {
    return undefined
  }
  return entries.flatMap((entry) => (isJsonObject(entry) ? fromObject(entry) : entry))
}

function fromObject(entry: JsonObject): unknown[] {
  if (Array.isArray(entry.choices)) return outputEntries(entry.choices.slice(0, 1)) ?? []
  if (isJsonObject(entry.message)) return fromObject(entry.message)
  // A content block keeps its type; a message without a role is the model's.
  if (typeof entry.type === 'string' && entry.role === undefined && !Array.isArray(entry.parts)) return [entry]
  return [{ ...entry, content: entry.content ?? entry.text, role: entry.role === 'tool' ? 'tool' : 'assistant' }]
}
