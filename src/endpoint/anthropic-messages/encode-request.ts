import type { Message, ToolDefinition } from '../../message/index.ts'
import type { AcceptTools } from '../accepted-tools.ts'
import type { EndpointRequest, ToolChoice } from '../endpoint.ts'
import { joinBody, type RequestBody } from '../join-body.ts'
import { oncePerObject } from '../once-per-object.ts'
import { openFields } from '../request-fields.ts'
import type { ServerDialect } from '../server-dialect.ts'
import { completeToolCallIds } from '../tool-call-ids.ts'
import { contentBlocks } from './content-blocks.ts'

/** The API wants a limit; this one where the trace has none. */
const DEFAULT_MAX_TOKENS = 4_096

/**
 * Makes request bodies. A message's blocks become bytes once and tools once; a body is joined from them. Messages that follow
 * one another on one side of the conversation are one on the wire, so several tool results stand in one user message.
 */
export function createMessagesEncoder(
  dialect: ServerDialect,
  extraBody: Readonly<Record<string, unknown>>,
  accepted: AcceptTools,
): (request: EndpointRequest) => RequestBody {
  const blocksOf = oncePerObject((message: Message) => Buffer.from(contentBlocks(message).join()))
  const bytesOfTools = oncePerObject((tools: readonly ToolDefinition[]) =>
    Buffer.from(`,"tools":${JSON.stringify(accepted(tools).map(toTool))}`),
  )

  return (request) => {
    const fields = Object.assign(scalarFields(request, dialect), extraBody)
    const messages = completeToolCallIds(request.messages)
    const opening = countLeadingSystem(messages)
    const pieces: Buffer[] = []
    if (fields.system === undefined) addSystem(pieces, messages.slice(0, opening).map(blocksOf))
    pieces.push(MESSAGES_BEGIN)
    addTurns(pieces, messages.slice(opening), blocksOf)
    pieces.push(LIST_END)
    if (request.tools.length > 0 && fields.tools === undefined) pieces.push(bytesOfTools(request.tools))
    pieces.push(BODY_END)
    return joinBody(openFields(fields), pieces)
  }
}

const COMMA = Buffer.from(',')
const SYSTEM_BEGIN = Buffer.from(',"system":[')
const MESSAGES_BEGIN = Buffer.from(',"messages":[')
const LIST_END = Buffer.from(']')
const BODY_END = Buffer.from('}')
const TURN_BEGIN = {
  user: Buffer.from('{"role":"user","content":['),
  assistant: Buffer.from('{"role":"assistant","content":['),
}
const TURN_END = Buffer.from(']}')
/** A conversation begins with the user, who must say something. */
const NOTHING_SAID = Buffer.from('{"role":"user","content":[{"type":"text","text":"…"}]}')

function addSystem(pieces: Buffer[], blocks: readonly Buffer[]): void {
  const written = blocks.filter((block) => block.length > 0)
  if (written.length === 0) return
  pieces.push(SYSTEM_BEGIN)
  for (const [index, block] of written.entries()) pieces.push(...(index === 0 ? [block] : [COMMA, block]))
  pieces.push(LIST_END)
}

/** Instructions in the midst of a conversation are the user's: the API knows them at its head alone. */
function addTurns(pieces: Buffer[], messages: readonly Message[], blocksOf: (message: Message) => Buffer): void {
  let side: 'user' | 'assistant' | undefined
  for (const message of messages) {
    const blocks = blocksOf(message)
    if (blocks.length === 0) continue
    const next = message.role === 'assistant' ? 'assistant' : 'user'
    if (next === side) pieces.push(COMMA)
    else {
      if (side !== undefined) pieces.push(TURN_END, COMMA)
      else if (next === 'assistant') pieces.push(NOTHING_SAID, COMMA)
      pieces.push(TURN_BEGIN[next])
      side = next
    }
    pieces.push(blocks)
  }
  pieces.push(side === undefined ? NOTHING_SAID : TURN_END)
}

function countLeadingSystem(messages: readonly Message[]): number {
  const next = messages.findIndex((message) => message.role !== 'system')
  return next === -1 ? messages.length : next
}

function scalarFields(request: EndpointRequest, dialect: ServerDialect): Record<string, unknown> {
  const { params, forceOutputTokens } = request
  const maxTokens = params.maxTokens ?? forceOutputTokens ?? DEFAULT_MAX_TOKENS
  const fields: Record<string, unknown> = { model: request.model, max_tokens: maxTokens, stream: request.stream }
  if (forceOutputTokens !== undefined && dialect.forcesOutputLength) {
    fields.ignore_eos = true
    fields.min_tokens = Math.min(forceOutputTokens, maxTokens)
  }
  // Other APIs go up to 2. Newer models refuse both at once: the temperature says more.
  if (params.temperature !== undefined) fields.temperature = Math.min(1, params.temperature)
  else if (params.topP !== undefined) fields.top_p = params.topP
  if (params.topK !== undefined) fields.top_k = params.topK
  const stop = params.stop?.filter((sequence) => sequence.trim() !== '') ?? []
  if (stop.length > 0) fields.stop_sequences = stop
  // A choice without tools is refused.
  if (request.toolChoice !== undefined && request.tools.length > 0) fields.tool_choice = toToolChoice(request.toolChoice)
  return fields
}

function toToolChoice(choice: ToolChoice): unknown {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name }
  return { type: choice === 'required' ? 'any' : choice }
}

function toTool(tool: ToolDefinition): unknown {
  return {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    // The API wants the type said.
    input_schema: { type: 'object', ...(tool.parameters ?? { properties: {} }) },
  }
}
