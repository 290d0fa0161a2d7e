import type { Message, ToolDefinition } from '../../message/index.ts'
import type { AcceptTools } from '../accepted-tools.ts'
import { encodeInRuns } from '../encode-in-runs.ts'
import type { EndpointRequest } from '../endpoint.ts'
import { joinBody, type RequestBody } from '../join-body.ts'
import { oncePerObject } from '../once-per-object.ts'
import { openFields } from '../request-fields.ts'
import type { ServerDialect } from '../server-dialect.ts'
import { ANSWER_BEGIN, plainText, toolsText, turnText } from './prompt-text.ts'
import { callSchema, isSteered } from './steered-call.ts'

/**
 * Makes request bodies. The prompt is one text, made of the messages' own: each is escaped once, and the body joined from
 * the bytes.
 */
export function createCompletionsEncoder(
  dialect: ServerDialect,
  extraBody: Readonly<Record<string, unknown>>,
  accepted: AcceptTools,
): (request: EndpointRequest) => RequestBody {
  const piecesOf = encodeInRuns((message: Message) => [escaped(turnText(message))])
  const bytesOfPlain = oncePerObject((message: Message) => Buffer.from(escaped(plainText(message))))
  const bytesOfTools = oncePerObject((tools: readonly ToolDefinition[]) => Buffer.from(escaped(toolsText(accepted(tools)))))

  return (request) => {
    const { messages, tools } = request
    const fields = Object.assign(scalarFields(request, dialect, accepted), extraBody)
    const pieces: Buffer[] = []
    const [only] = messages
    if (messages.length === 1 && only?.role === 'user' && tools.length === 0) pieces.push(bytesOfPlain(only))
    else {
      if (tools.length > 0) pieces.push(bytesOfTools(tools))
      pieces.push(...piecesOf(messages), ANSWER)
    }
    pieces.push(BODY_END)
    return joinBody(`${openFields(fields)},"prompt":"`, pieces)
  }
}

const ANSWER = Buffer.from(ANSWER_BEGIN)
const BODY_END = Buffer.from('"}')

/** The inside of a JSON string. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function scalarFields(request: EndpointRequest, dialect: ServerDialect, accepted: AcceptTools): Record<string, unknown> {
  const { params, forceOutputTokens } = request
  const fields: Record<string, unknown> = { model: request.model, stream: request.stream }
  if (request.stream) fields.stream_options = { include_usage: true }
  const maxTokens = params.maxTokens ?? forceOutputTokens
  if (maxTokens !== undefined) fields.max_tokens = maxTokens
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
  if (isSteered(request) && dialect.completionsSchema !== 'none') {
    const schema = callSchema(accepted(request.tools), request.toolChoice)
    fields[dialect.completionsSchema] =
      dialect.completionsSchema === 'json_schema' ? schema : { type: 'json_schema', json_schema: { name: 'tool_call', schema } }
  }
  return fields
}
