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
  const turns = entries.flatMap((entry, k) => {
    const turn = { role: prefix, content: entry }
    return isResultBehindGap(entry, entries[k - 1], prefix) ? [UNRECORDED_TURN, turn] : [turn]
  })
  if (turns.length > entries.length) {
    content.note(
      'turn-not-recorded',
      'The turn before a tool result was not recorded, which called the tool; its place is kept for the output of an earlier call.',
    )
  }
  return content.turns(turns, prefix, (turn) =>
    turn === UNRECORDED_TURN ? turn : messageOf(nestedEntry(turn.content as FlatEntry, prefix)),
  )
}

/** Recorders that write no empty content write nothing of a turn that had but tool calls: a position is missing. */
const UNRECORDED_TURN = { role: 'assistant', content: null }

function isResultBehindGap(entry: FlatEntry, before: FlatEntry | undefined, prefix: string): boolean {
  if (before === undefined || positionOf(entry, prefix) !== positionOf(before, prefix) + 2) return false
  return entry.some((name, k) => k % 2 === 0 && String(name).endsWith('.role') && entry[k + 1] === 'tool')
}

function positionOf([name]: FlatEntry, prefix: string): number {
  return Number.parseInt(String(name).slice(prefix.length + 1), 10)
}
