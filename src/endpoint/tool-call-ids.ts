import type { Message, Part, ToolCallPart, ToolResultPart } from '../message/index.ts'
import { oncePerObject } from './once-per-object.ts'

/** What was made of a message, by the ids it was given. */
const variantsOf = oncePerObject((_message: Message) => new Map<string, Message>())

/**
 * Gives tool calls and results without an id one that matches between them: the nth nameless call of a turn is answered by
 * the nth nameless result after it. An id depends on the place in the conversation alone, so a history that grows keeps its
 * prefix, and the same message with the same ids is the same object.
 */
export function completeToolCallIds(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(lacksId)) return messages
  let unanswered: string[] = []
  return messages.map((message, position) => {
    if (message.role === 'assistant') {
      const ids = message.parts.filter(isCall).map((call, index) => call.id || `call_${position}_${index}`)
      unanswered = message.parts.filter(isCall).flatMap((call, index) => (call.id === '' ? [ids[index] ?? ''] : []))
      return lacksId(message) ? withIds(message, ids) : message
    }
    if (!lacksId(message)) return message
    const ids = message.parts
      .filter(isResult)
      .map((result, index) => result.id || (unanswered.shift() ?? `call_${position}_${index}`))
    return withIds(message, ids)
  })
}

/** The same, of messages that all have their ids but for the fresh ones: a history is not walked through for nothing. */
export function completeFreshIds(messages: readonly Message[], fresh: readonly Message[]): readonly Message[] {
  return fresh.some(lacksId) ? completeToolCallIds(messages) : messages
}

/** Whether the message holds a tool call or result without an id. Asked of whole histories: a plain loop. */
export function lacksId(message: Message): boolean {
  for (const part of message.parts) {
    if ((part.type === 'tool_call' || part.type === 'tool_result') && part.id === '') return true
  }
  return false
}

function withIds(message: Message, ids: readonly string[]): Message {
  const variants = variantsOf(message)
  const key = JSON.stringify(ids)
  const known = variants.get(key)
  if (known !== undefined) return known
  let next = 0
  const withId = (part: Part): Part => (isCall(part) || isResult(part) ? { ...part, id: ids[next++] ?? part.id } : part)
  const variant: Message = { role: message.role, parts: message.parts.map(withId) }
  variants.set(key, variant)
  return variant
}

function isCall(part: Part): part is ToolCallPart {
  return part.type === 'tool_call'
}

function isResult(part: Part): part is ToolResultPart {
  return part.type === 'tool_result'
}
