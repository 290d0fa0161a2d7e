import type { Message, ToolDefinition } from '../../message/index.ts'
import type { AcceptTools } from '../accepted-tools.ts'
import { type Encoded, encodeInRuns, withoutFirstComma } from '../encode-in-runs.ts'
import type { EndpointRequest, ToolChoice } from '../endpoint.ts'
import { joinBody, type RequestBody } from '../join-body.ts'
import { oncePerObject } from '../once-per-object.ts'
import { openFields } from '../request-fields.ts'
import type { ServerDialect } from '../server-dialect.ts'
import { completeFreshIds } from '../tool-call-ids.ts'
import { toChatMessages } from './encode-message.ts'
import { sharedWire } from './shared-wire.ts'

/**
 * Makes request bodies. A message becomes bytes once and tools once; a body is joined from them, so that a history which
 * grows from call to call, or is shared by many calls, is never written twice.
 */
export function createChatEncoder(
  dialect: ServerDialect,
  extraBody: Readonly<Record<string, unknown>>,
  accepted: AcceptTools = (tools) => tools,
): (request: EndpointRequest) => RequestBody {
  const wireOf = (message: Message): Encoded =>
    sharedWire(message) ?? [
      toChatMessages(message, dialect.reasoningFields)
        .map((one) => JSON.stringify(one))
        .join(','),
    ]
  const piecesOf = encodeInRuns(wireOf, { complete: completeFreshIds, commas: true })
  const bytesOfTools = oncePerObject((tools: readonly ToolDefinition[]) =>
    Buffer.from(`,"tools":${JSON.stringify(accepted(tools).map(toChatTool))}`),
  )

  return (request) => {
    const fields = Object.assign(scalarFields(request, dialect), extraBody)
    const pieces = withoutFirstComma(piecesOf(request.messages))
    pieces.push(LIST_END)
    if (request.tools.length > 0 && fields.tools === undefined) pieces.push(bytesOfTools(request.tools))
    pieces.push(BODY_END)
    return joinBody(`${openFields(fields)},"messages":[`, pieces)
  }
}

const LIST_END = Buffer.from(']')
const BODY_END = Buffer.from('}')
const INCLUDE_USAGE = { include_usage: true }

function scalarFields(request: EndpointRequest, dialect: ServerDialect): Record<string, unknown> {
  const { params, forceOutputTokens } = request
  const fields: Record<string, unknown> = { model: request.model, stream: request.stream }
  if (request.stream) fields.stream_options = INCLUDE_USAGE
  const maxTokens = params.maxTokens ?? forceOutputTokens
  if (maxTokens !== undefined) fields[dialect.maxTokensField] = maxTokens
  if (forceOutputTokens !== undefined && dialect.forcesOutputLength) {
    fields.ignore_eos = true
    fields.min_tokens = Math.min(forceOutputTokens, maxTokens ?? forceOutputTokens)
  }
  if (params.temperature !== undefined) fields.temperature = params.temperature
  if (params.topP !== undefined) fields.top_p = params.topP
  if (params.topK !== undefined && dialect.topK) fields.top_k = params.topK
  if (params.seed !== undefined) fields.seed = params.seed
  if (params.stop !== undefined && params.stop.length > 0) fields.stop = params.stop
  if (params.frequencyPenalty !== undefined) fields.frequency_penalty = params.frequencyPenalty
  if (params.presencePenalty !== undefined) fields.presence_penalty = params.presencePenalty
  // A choice without tools is refused.
  if (request.toolChoice !== undefined && request.tools.length > 0)
    fields.tool_choice = toChatToolChoice(request.toolChoice, dialect)
  return fields
}

function toChatToolChoice(choice: ToolChoice, { namesToolChoice }: ServerDialect): unknown {
  if (typeof choice === 'object' && !namesToolChoice) return 'required'
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}

function toChatTool(tool: ToolDefinition): unknown {
  return {
    type: 'function',
    function: {
      name: tool.name,
      ...(tool.description !== undefined && { description: tool.description }),
      parameters: tool.parameters ?? { type: 'object', properties: {} },
    },
  }
}
