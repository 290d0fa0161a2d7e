import type { Message, ToolDefinition } from '../../message/index.ts'
import type { AcceptTools } from '../accepted-tools.ts'
import { encodeInRuns, withoutFirstComma } from '../encode-in-runs.ts'
import type { EndpointRequest, ToolChoice } from '../endpoint.ts'
import { joinBody, type RequestBody } from '../join-body.ts'
import { oncePerObject } from '../once-per-object.ts'
import { openFields } from '../request-fields.ts'
import type { ServerDialect } from '../server-dialect.ts'
import { completeFreshIds } from '../tool-call-ids.ts'
import { inputItems } from './input-items.ts'

/** Makes request bodies. A message's items become bytes once and tools once; a body is joined from them. */
export function createResponsesEncoder(
  dialect: ServerDialect,
  extraBody: Readonly<Record<string, unknown>>,
  accepted: AcceptTools,
): (request: EndpointRequest) => RequestBody {
  const piecesOf = encodeInRuns(
    (message: Message) => [
      inputItems(message)
        .map((item) => JSON.stringify(item))
        .join(','),
    ],
    { complete: completeFreshIds, commas: true },
  )
  const bytesOfTools = oncePerObject((tools: readonly ToolDefinition[]) =>
    Buffer.from(`,"tools":${JSON.stringify(accepted(tools).map(toTool))}`),
  )

  return (request) => {
    const fields = Object.assign(scalarFields(request, dialect), extraBody)
    const pieces = withoutFirstComma(piecesOf(request.messages))
    pieces.push(LIST_END)
    if (request.tools.length > 0 && fields.tools === undefined) pieces.push(bytesOfTools(request.tools))
    pieces.push(BODY_END)
    return joinBody(`${openFields(fields)},"input":[`, pieces)
  }
}

const LIST_END = Buffer.from(']')
const BODY_END = Buffer.from('}')

function scalarFields(request: EndpointRequest, dialect: ServerDialect): Record<string, unknown> {
  const { params, forceOutputTokens } = request
  // The whole history goes with every request: nothing has to be kept on the server.
  const fields: Record<string, unknown> = { model: request.model, stream: request.stream, store: false }
  const maxTokens = params.maxTokens ?? forceOutputTokens
  if (maxTokens !== undefined) fields.max_output_tokens = Math.max(dialect.leastResponseTokens ?? 1, maxTokens)
  if (forceOutputTokens !== undefined && dialect.forcesOutputLength) {
    fields.ignore_eos = true
    fields.min_tokens = Math.min(forceOutputTokens, maxTokens ?? forceOutputTokens)
  }
  if (params.temperature !== undefined) fields.temperature = params.temperature
  if (params.topP !== undefined) fields.top_p = params.topP
  if (params.topK !== undefined && dialect.topK) fields.top_k = params.topK
  // A choice without tools is refused.
  if (request.toolChoice !== undefined && request.tools.length > 0) fields.tool_choice = toToolChoice(request.toolChoice, dialect)
  return fields
}

function toToolChoice(choice: ToolChoice, { namesToolChoice }: ServerDialect): unknown {
  if (typeof choice === 'object' && !namesToolChoice) return 'required'
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.name }
}

function toTool(tool: ToolDefinition): unknown {
  return {
    type: 'function',
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    parameters: tool.parameters ?? { type: 'object', properties: {} },
    // Strict is the default here, and refuses schemas that other APIs take.
    strict: false,
  }
}
