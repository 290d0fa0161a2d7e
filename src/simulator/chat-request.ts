import { ApiError, invalidRequest } from './api-error.ts'
import {
  type JsonObject,
  kindOf,
  optionalBoolean,
  optionalCount,
  optionalNumber,
  requireItems,
  requireName,
  requireObject,
} from './body-fields.ts'
import { checkMessages, messagesInclude, renderPrompt } from './chat-messages.ts'
import type { GenerationRequest, Tool } from './generation-request.ts'
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
  const maxTokens =
    optionalCount(body.max_completion_tokens, 'max_completion_tokens', 1) ?? optionalCount(body.max_tokens, 'max_tokens', 1)
  const minTokens = optionalCount(body.min_tokens, 'min_tokens', 0) ?? 0
  if (maxTokens !== undefined && minTokens > maxTokens) {
    throw invalidRequest('min_tokens', `'min_tokens' is ${minTokens}, more than the ${maxTokens} tokens allowed at most.`)
  }
  checkSampling(body)
  return {
    model,
    prompt: renderPrompt(new TokenSequence(blockTokens), messages, tools.length === 0 ? '' : jsonText(body.tools)),
    includesText: (text) => messagesInclude(messages, text),
    tools,
    toolChoice: readToolChoice(body.tool_choice, tools),
    parallelToolCalls: optionalBoolean(body.parallel_tool_calls, 'parallel_tool_calls', true),
    ...(textSchema === undefined ? {} : { textSchema }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    minTokens,
    ignoreEos: optionalBoolean(body.ignore_eos, 'ignore_eos', false),
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

/** Has no effect on the simulated model, but a value no server takes must not pass. */
function checkSampling(body: JsonObject): void {
  optionalNumber(body.temperature, 'temperature', 0, 2)
  optionalNumber(body.top_p, 'top_p', 0, 1)
  optionalNumber(body.frequency_penalty, 'frequency_penalty', -2, 2)
  optionalNumber(body.presence_penalty, 'presence_penalty', -2, 2)
  const stop = body.stop ?? []
  const stops = typeof stop === 'string' ? [stop] : stop
  if (!Array.isArray(stops) || stops.some((item) => typeof item !== 'string')) {
    throw invalidRequest('stop', `'stop' must be a string or an array of strings, but is ${kindOf(stop)}.`, 'invalid_type')
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

function readResponseFormat(value: unknown): unknown {
  if (value === undefined || value === null) return undefined
  const format = requireObject(value, 'response_format')
  switch (format.type) {
    case 'text':
      return undefined
    case 'json_object':
      return { type: 'object' }
    case 'json_schema':
      return requireObject(
        requireObject(format.json_schema, 'response_format.json_schema').schema ?? {},
        'response_format.json_schema.schema',
      )
    default:
      throw invalidRequest(
        'response_format.type',
        `'response_format.type' must be text, json_object or json_schema, but is ${kindOf(format.type)}.`,
      )
  }
}

function readStreamOptions(value: unknown, stream: boolean): boolean {
  if (value === undefined || value === null) return false
  if (!stream) throw invalidRequest('stream_options', "'stream_options' is only allowed when 'stream' is true.")
  return optionalBoolean(requireObject(value, 'stream_options').include_usage, 'stream_options.include_usage', false)
}

/** Text of a value that came from JSON; one nested too deep to be written back is refused. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    throw new ApiError(400, "'tools' is nested too deep.", { param: 'tools' })
  }
}
