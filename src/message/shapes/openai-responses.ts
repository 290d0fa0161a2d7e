import { firstId, reasoningPart, toolCallPart, toolResultPart } from '../blocks/block.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import type { Part } from '../message.ts'
import type { RawMessage } from '../split.ts'
import type { MessageShape } from './shape.ts'

/**
 * The items of OpenAI's Responses, in which tool calls, their outputs and reasoning are entries of their own beside the
 * messages. All items of the model that follow one another are one turn: see {@link isTurnItem}.
 */
export const readResponsesItem: MessageShape = (item) => {
  switch (item.type) {
    case 'function_call':
      return [turn(toolCallPart(callId(item), item.name, item.arguments))]
    case 'custom_tool_call':
      return [turn(toolCallPart(callId(item), item.name, JSON.stringify({ input: item.input ?? '' })))]
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ role: 'tool', parts: [toolResultPart(callId(item), item.output)] }]
    case 'reasoning':
      // A part of the GenAI conventions has this type, too, with its text in place.
      return Array.isArray(item.summary) ? [turn(...reasoningOf(item))] : undefined
    default:
      return undefined
  }
}

/** An item that is part of the model's turn: joined with those around it by whoever reads the list. */
export function isTurnItem(item: JsonObject): boolean {
  if (item.type === 'message') return item.role === 'assistant'
  if (item.type === 'reasoning') return Array.isArray(item.summary)
  return item.type === 'function_call' || item.type === 'custom_tool_call'
}

/** `id` names the item; what an output refers to is `call_id`. */
function callId(item: JsonObject): string {
  return firstId(item.call_id, item.id)
}

function turn(...parts: readonly Part[]): RawMessage {
  return { role: 'assistant', parts }
}

function reasoningOf({ summary, content }: JsonObject): Part[] {
  const texts = [content, summary].flat().map((entry) => (isJsonObject(entry) ? entry.text : entry))
  return texts.flatMap((text) => [...reasoningPart(text)])
}
