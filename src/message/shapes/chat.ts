import { firstId, reasoningPart, textPart, toolCallPart, toolResultPart } from '../blocks/block.ts'
import { readBlocks } from '../blocks/read-blocks.ts'
import { isJsonObject, type JsonObject, textOf } from '../json.ts'
import type { Part, Role } from '../message.ts'
import type { MessageShape, ReadMessageContext } from './shape.ts'

/**
 * A message with a role: OpenAI's `content` and `tool_calls`, the `parts` of the OpenTelemetry GenAI conventions, or a mix.
 * Other APIs that differ in their content blocks alone are read here, too.
 */
export const readChatMessage: MessageShape = (message, context) => {
  if (typeof message.role !== 'string' && !Array.isArray(message.parts)) return undefined
  const role = readRole(message.role, context)
  const content = message.parts ?? message.content
  if (role === 'tool' && !holdsToolParts(content)) {
    return [{ role, parts: [toolResultPart(firstId(message.tool_call_id, message.call_id, message.id), content)] }]
  }
  const parts = [
    ...reasoningPart(message.reasoning_content ?? message.reasoning),
    ...readBlocks(content, context.report),
    ...textPart(message.refusal),
    ...readToolCalls(message),
  ]
  return [{ role, parts }]
}

/** A result is either the content of a message of role `tool`, or one of several parts in it; some recorders put calls there. */
function holdsToolParts(content: unknown): boolean {
  if (!Array.isArray(content)) return false
  return readBlocks(content, () => {}).some(({ type }) => type === 'tool_result' || type === 'tool_call')
}

function readToolCalls(message: JsonObject): Part[] {
  // LangChain keeps the provider's own fields apart, and Langfuse keeps them so.
  const extra = isJsonObject(message.additional_kwargs) ? message.additional_kwargs.tool_calls : undefined
  const listed = message.tool_calls ?? extra
  const calls = Array.isArray(listed) ? listed.filter(isJsonObject) : []
  const parts = calls.map((call) => {
    const named = isJsonObject(call.function) ? call.function : call
    return toolCallPart(firstId(call.id), named.name, named.arguments ?? named.args ?? named.input)
  })
  // The form before tool calls had ids.
  const legacy = message.function_call
  return isJsonObject(legacy) ? [...parts, toolCallPart('', legacy.name, legacy.arguments)] : parts
}

const ROLES = new Map<string, Role>([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['ai', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
])

function readRole(value: unknown, { report }: ReadMessageContext): Role {
  // Gemini's contents may go without one.
  if (value === undefined || value === null) return 'user'
  const name = textOf(value).toLowerCase()
  const role = ROLES.get(name)
  if (role !== undefined) return role
  report({ code: 'unknown-role', message: `Read a message of unknown role '${name.slice(0, 40)}' as one of role 'user'.` })
  return 'user'
}
