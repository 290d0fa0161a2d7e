import type { Message, Part, ToolCallPart } from '../message/index.ts'
import { toolCallsOf } from './tool-pairing.ts'

/** What the model answered, ready to stand in later requests. */
export interface LiveOutput {
  readonly message: Message
  /** `false`: the recorded turn stands in for it everywhere. */
  readonly usable: boolean
}

/**
 * @param usedIds tool-call ids of the session's earlier live outputs; extended. Some servers repeat ids or leave them out,
 * and a result must name exactly one call, so such calls get an id of their own.
 */
export function liveOutput(answer: Message, usable: boolean, usedIds: Set<string>): LiveOutput {
  const parts = answer.parts.map((part) => (part.type === 'tool_call' ? identified(part, usedIds) : part))
  return { message: { role: 'assistant', parts }, usable }
}

/** An answer's final text, as a sub-agent hands it on. */
export function finalText({ parts }: Message): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim()
}

/** An answer as it stands in a history that keeps no reasoning. */
export function withoutReasoning({ role, parts }: Message): Message {
  return { role, parts: parts.filter((part) => part.type !== 'reasoning') }
}

function identified(call: ToolCallPart, usedIds: Set<string>): Part {
  let id = call.id
  for (let n = usedIds.size + 1; id === '' || usedIds.has(id); n++) id = call.id === '' ? `call_live_${n}` : `${call.id}_${n}`
  usedIds.add(id)
  // Arguments left out mean "none"; servers parse what they are given.
  const args = call.arguments.trim() === '' ? '{}' : call.arguments
  return { ...call, id, arguments: args }
}

/** Whether every tool call of a message has arguments a server can parse. */
export function hasSoundArguments(message: Message): boolean {
  return toolCallsOf(message).every((call) => call.arguments.trim() === '' || isJson(call.arguments))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
