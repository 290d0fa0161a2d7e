import type { Part, Role, ToolResultPart } from './message.ts'

/** A message as its recorder wrote it: it may bundle what the canonical form keeps apart. */
export interface RawMessage {
  readonly role: Role
  readonly parts: readonly Part[]
}

/**
 * One tool message per tool result, whatever role held them. What stood beside the results stays a message of its own: in an
 * assistant turn in its place, otherwise as a user message after the results, as chat APIs demand.
 */
export function splitToolResults(message: RawMessage): readonly RawMessage[] {
  const { role, parts } = message
  if (!parts.some((part) => part.type === 'tool_result')) return [message]
  if (role === 'assistant') return inPlace(parts)
  const results = parts.filter((part) => part.type === 'tool_result')
  const others = parts.filter((part) => part.type !== 'tool_result')
  return [...results.map(toolMessage), ...(others.length > 0 ? [{ role: role === 'tool' ? 'user' : role, parts: others }] : [])]
}

function inPlace(parts: readonly Part[]): RawMessage[] {
  const messages: RawMessage[] = []
  let turn: Part[] = []
  for (const part of parts) {
    if (part.type !== 'tool_result') {
      turn.push(part)
      continue
    }
    if (turn.length > 0) messages.push({ role: 'assistant', parts: turn })
    turn = []
    messages.push(toolMessage(part))
  }
  if (turn.length > 0) messages.push({ role: 'assistant', parts: turn })
  return messages
}

function toolMessage(result: ToolResultPart): RawMessage {
  return { role: 'tool', parts: [result] }
}
