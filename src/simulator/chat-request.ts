import { ApiError, invalidRequest } from './api-error.ts'
import {
  type JsonObject,
  kindOf,
  optionalBoolean,
  optionalCount,
  requireItems,
  requireName,
  requireObject,
} from './body-fields.ts'
import { checkMessages, messagesInclude, renderPrompt } from './chat-messages.ts'
import type { GenerationRequest, Tool } from './generation-request.ts'
import { checkSampling, checkStop, readLength, readResponseFormat, readStreamOptions } from './sampling-fields.ts'
import { TokenSequence } from './tokens.ts'

/**
 * Reads the body of `POST /v1/chat/completions`. As strict as the strictest server it stands in for; fields it does not
 * know are let pass, as vLLM does, fields it knows but cannot honour are refused.
 *
 * @throws {ApiError} 400 that names the place
 */
export function readChatRequest(body: JsonObject, blockTokens: number): GenerationRequest {
  const model = requireName(body.model, 'model')
  const messages = checkMessages(body.messages)
  refuseUnsupported(body)
  const tools = readTools(body.tools)
  const textSchema = readResponseFormat(body.response_format)
  const stream = optionalBoolean(body.stream, 'stream', false)
  checkSampling(body)
  checkStop(body.stop)
  return {
    model,
    prompt: renderPrompt(new TokenSequence(blockTokens), messages, tools.length === 0 ? '' : jsonText(body.tools)),
    includesText: (text) => messagesInclude(messages, text),
    tools,
    toolChoice: readToolChoice(body.tool_choice, tools),
    parallelToolCalls: optionalBoolean(body.parallel_tool_calls, 'parallel_tool_calls', true),
    ...(textSchema === undefined ? {} : { textSchema }),
    ...readLength(body, 'max_completion_tokens', 'max_tokens'),
    seed: optionalCount(body.seed, 'seed', Number.MIN_SAFE_INTEGER) ?? 0,
    stream,
    streamUsage: readStreamOptions(body.stream_options, stream),
  }
}

function refuseUnsupported(body: JsonObject): void {
  const n = optionalCount(body.n, 'n', 1) ?? 1
  if (n > 1) throw invalidRequest('n', `'n' is ${n}, but the simulator writes one choice.`, 'unsupported_value')
  if (optionalBoolean(body.logprobs, 'logprobs', false)) {
    throw invalidRequest('logprobs', 'The simulator has no log probabilities.', 'unsupported_value')
  }
  for (const field of ['functions', 'function_call']) {
    if (body[field] !== undefined && body[field] !== null) {
      throw invalidRequest(field, `'${field}' is not supported: use 'tools' and 'tool_choice'.`, 'unsupported_parameter')
    }
  }
}

function readTools(value: unknown): readonly Tool[] {
  if (value === undefined || value === null) return []
  return requireItems(value, 'tools').map((item, i) => {
    const tool = requireObject(item, `tools[${i}]`)
    if (tool.type !== 'function') {
      throw invalidRequest(`tools[${i}].type`, `'tools[${i}].type' must be function, but is ${kindOf(tool.type)}.`)
    }
    const definition = requireObject(tool.function, `tools[${i}].function`)
    const name = requireName(definition.name, `tools[${i}].function.name`)
    if (definition.parameters === undefined || definition.parameters === null) return { name }
    return { name, parameters: requireObject(definition.parameters, `tools[${i}].function.parameters`) }
  })
}

function readToolChoice(value: unknown, tools: readonly Tool[]): GenerationRequest['toolChoice'] {
  if (value === undefined || value === null) return tools.length === 0 ? 'none' : 'auto'
  if (value === 'none') return 'none'
  if (tools.length === 0) throw invalidRequest('tool_choice', "'tool_choice' is only allowed together with 'tools'.")
  if (value === 'auto' || value === 'required') return value
  if (typeof value === 'string') {
    throw invalidRequest('tool_choice', `'tool_choice' must be none, auto, required or name a function, but is ${kindOf(value)}.`)
  }
  const choice = requireObject(value, 'tool_choice')
  if (choice.type !== 'function') {
    throw invalidRequest('tool_choice.type', `'tool_choice.type' must be function, but is ${kindOf(choice.type)}.`)
  }
  const name = requireName(requireObject(choice.function, 'tool_choice.function').name, 'tool_choice.function.name')
  if (!tools.some((tool) => tool.name === name)) {
    throw invalidRequest('tool_choice.function.name', `'tool_choice' names the function '${name}', which is not among 'tools'.`)
  }
  return { name }
}

/** Text of a value that came from JSON; one nested too deep to be written back is refused. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    throw new ApiError(400, "'tools' is nested too deep.", { param: 'tools' })
  }
}
