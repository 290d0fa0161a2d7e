import { isJsonObject } from '../../message/index.ts'
import { toAttributes } from '../attributes.ts'
import type { Attributes, AttributeValue } from '../span.ts'

/** Deeper nesting, or more entries, than any recorder writes: what lies beyond counts as missing. */
const DEEPEST = 40
const MOST_ENTRIES = 1_000_000

/**
 * Attributes that a store has nested, under their dotted names again: `{ llm: { model_name } }` → `llm.model_name`, and a list of
 * objects by position: `llm.input_messages.0.message.role`. Lists of plain values stay lists.
 */
export function flattenAttributes(nested: unknown): Attributes {
  return toAttributes(entriesOf(nested))
}

function* entriesOf(nested: unknown): Generator<[string, AttributeValue]> {
  const stack: { readonly key: string; readonly value: unknown; readonly depth: number }[] = [
    { key: '', value: nested, depth: 0 },
  ]
  let entries = 0
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { key, value, depth } = next
    const inner = depth > DEEPEST ? undefined : childrenOf(value)
    if (inner === undefined) {
      if (key !== '' && ++entries <= MOST_ENTRIES) yield [key, value as AttributeValue]
      continue
    }
    // Pushed in reverse, so that they come off the stack in the order of the file.
    for (const [name, child] of inner.reverse())
      stack.push({ key: key === '' ? name : `${key}.${name}`, value: child, depth: depth + 1 })
  }
}

function childrenOf(value: unknown): [string, unknown][] | undefined {
  if (isJsonObject(value)) return Object.entries(value)
  if (Array.isArray(value) && value.some(isJsonObject)) return value.map((item, index) => [String(index), item])
  return undefined
}
