import { firstId, reasoningPart, toolCallPart, toolResultPart } from '../blocks/block.ts'
import { readBlocks } from '../blocks/read-blocks.ts'
import { isJsonObject, type JsonObject, textOf } from '../json.ts'
import type { Part, Role } from '../message.ts'
import type { MessageShape, ReadMessageContext } from './shape.ts'

const ROLES = new Map<string, Role>([
  ['system', 'system'],
  ['human', 'user'],
  ['ai', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['SystemMessage', 'system'],
  ['HumanMessage', 'user'],
  ['AIMessage', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['ToolMessage', 'tool'],
  ['FunctionMessage', 'tool'],
])

/**
 * LangChain's messages as it serialises them: `{ lc, type: 'constructor', id: [..., 'AIMessage'], kwargs }`, `{ type: 'ai', data }`,
 * or a message object with its `type` in place of a role.
 */
export const readLangChainMessage: MessageShape = (entry, context) => {
  const { kind, fields } = unwrap(entry)
  const role = ROLES.get(kind) ?? (kind === 'ChatMessage' || kind === 'chat' ? ROLES.get(textOf(fields.role)) : undefined)
  if (role === undefined || entry.role !== undefined) return undefined
  if (role === 'tool') return [{ role, parts: [toolResultPart(firstId(fields.tool_call_id), fields.content)] }]
  return [{ role, parts: role === 'assistant' ? turnParts(fields, context) : readBlocks(fields.content, context.report) }]
}

function unwrap(entry: JsonObject): { kind: string; fields: JsonObject } {
  const { id, kwargs, type, data } = entry
  if (isJsonObject(kwargs) && Array.isArray(id)) return { kind: textOf(id.at(-1)), fields: kwargs }
  if (isJsonObject(data)) return { kind: textOf(type), fields: data }
  // A content block has a type of its own; a message has content beside it.
  return { kind: 'content' in entry ? textOf(type) : '', fields: entry }
}

/** Calls are written twice, in LangChain's form and in the provider's; a turn of Anthropic has them among its blocks, too. */
function turnParts(fields: JsonObject, context: ReadMessageContext): Part[] {
  const extra = isJsonObject(fields.additional_kwargs) ? fields.additional_kwargs : {}
  const content = readBlocks(fields.content, context.report)
  const named = callsIn(fields.tool_calls)
  const calls = named.length > 0 ? named : callsIn(extra.tool_calls)
  const reasoning = reasoningPart(extra.reasoning_content)
  return [...reasoning, ...(calls.length > 0 ? content.filter(({ type }) => type !== 'tool_call') : content), ...calls]
}

function callsIn(list: unknown): Part[] {
  if (!Array.isArray(list)) return []
  return list.filter(isJsonObject).map((call) => {
    const named = isJsonObject(call.function) ? call.function : call
    return toolCallPart(firstId(call.id), named.name, named.args ?? named.arguments)
  })
}
