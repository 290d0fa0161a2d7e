import { readBlocks } from './blocks/read-blocks.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import type { Message, Role } from './message.ts'
import { messageShapes } from './shapes/index.ts'
import { isTurnItem } from './shapes/openai-responses.ts'
import type { ReadMessageContext } from './shapes/shape.ts'
import { type RawMessage, splitToolResults } from './split.ts'

/**
 * Reads messages as a trace holds them, one or a list, into canonical ones: interned, tool results split. A bare text is a
 * message; so are content blocks that stand in the list without a message around them.
 *
 * @param looseRole role of what stands there without one
 */
export function readMessages(value: unknown, context: ReadMessageContext, looseRole: Role = 'user'): Message[] {
  const raw: RawMessage[] = []
  let loose: unknown[] = []
  let turnIsOpen = false
  const flush = () => {
    const parts = readBlocks(loose, context.report)
    if (parts.length > 0) raw.push({ role: looseRole, parts })
    loose = []
  }
  for (const entry of Array.isArray(value) ? value : [value]) {
    const read = isJsonObject(entry) ? readEntry(entry, context) : undefined
    if (read !== undefined) {
      flush()
      const ofTurn = isJsonObject(entry) && isTurnItem(entry)
      if (ofTurn && turnIsOpen) joinTurn(raw, read)
      else raw.push(...read)
      turnIsOpen = ofTurn
    } else if (typeof entry === 'string' || isJsonObject(entry)) {
      loose.push(entry)
    } else if (entry !== null && entry !== undefined) {
      const kind = Array.isArray(entry) ? 'a list' : `a ${typeof entry}`
      context.report({ code: 'unknown-message', message: `Left out a message that is ${kind}, expected an object.` })
    }
  }
  flush()
  return raw.flatMap(splitToolResults).map(({ role, parts }) => context.interner.message(role, parts))
}

/** Puts what a further item says into the turn that the item before it began. */
function joinTurn(raw: RawMessage[], read: readonly RawMessage[]): void {
  const begun = raw.pop()
  if (begun !== undefined) raw.push({ ...begun, parts: [...begun.parts, ...read.flatMap(({ parts }) => parts)] })
}

function readEntry(entry: JsonObject, context: ReadMessageContext): readonly RawMessage[] | undefined {
  for (const read of messageShapes) {
    const messages = read(entry, context)
    if (messages !== undefined) return messages
  }
  return undefined
}
