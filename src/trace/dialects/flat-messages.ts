import type { Message } from '../../message/index.ts'
import type { ContentReader } from '../content-reader.ts'
import type { Attributes, AttributeValue } from '../span.ts'
import { type FlatEntry, flatEntries, nestedEntry, unflattenList } from './unflatten.ts'

/**
 * Messages that were flattened into attributes like `prefix.0.role`; those that an earlier call had, too, are taken over.
 *
 * @param messageOf makes a message with a role of what stands under one position
 */
export function readFlatMessages(
  attributes: Attributes,
  prefix: string,
  content: ContentReader,
  messageOf: (entry: AttributeValue) => object,
): readonly Message[] {
  const entries = flatEntries(attributes, prefix)
  if (entries === undefined) {
    return content.messages(
      unflattenList(attributes, prefix).map((entry) => messageOf(entry) as AttributeValue),
      prefix,
    )
  }
  const turns = entries.map((entry) => ({ role: prefix, content: entry }))
  return content.turns(turns, prefix, ({ content: entry }) => messageOf(nestedEntry(entry as FlatEntry, prefix)))
}
