import { invalidRequest } from './api-error.ts'
import {
  type JsonObject,
  kindOf,
  optionalBoolean,
  optionalCount,
  requireItems,
  requireName,
  requireObject,
  wrongType,
} from './body-fields.ts'
import { checkMessages, messagesInclude, renderPrompt } from './chat-messages.ts'
import { jsonText } from './chat-request.ts'
import type { GenerationRequest, Tool } from './generation-request.ts'
import { checkSampling, readLength } from './sampling-fields.ts'
import { TokenSequence } from './tokens.ts'

/**
 * Reads the body of `POST /v1/responses`. What the server would have to keep between requests is refused.
 *
 * @throws {ApiError} 400 that names the place
 */
export function readResponsesRequest(body: JsonObject, blockTokens: number): GenerationRequest {
  const model = requireName(body.model, 'model')
  for (const field of ['previous_response_id', 'conversation']) {
    if (body[field] === undefined || body[field] === null) continue
    throw invalidRequest(field, `'${field}' is not supported: the simulator keeps no responses.`, 'unsupported_parameter')
  }
  const messages = readInput(body.input, body.instructions)
  const tools = readTools(body.tools)
  checkSampling(body)
  return {
    model,
    prompt: renderPrompt(new TokenSequence(blockTokens), messages, tools.length === 0 ? '' : jsonText(body.tools)),
    includesText: (text) => messagesInclude(messages, text),
    tools,
    toolChoice: readToolChoice(body.tool_choice, tools),
    parallelToolCalls: optionalBoolean(body.parallel_tool_calls, 'parallel_tool_calls', true),
    ...readLength(body, 'max_output_tokens'),
    seed: optionalCount(body.seed, 'seed', Number.MIN_SAFE_INTEGER) ?? 0,
    stream: optionalBoolean(body.stream, 'stream', false),
    streamUsage: true,
  }
}

/** Input items as chat messages: what the assistant says and calls in succession is one turn. */
function readInput(input: unknown, instructions: unknown): readonly [JsonObject, ...JsonObject[]] {
  const messages: JsonObject[] = []
  if (typeof instructions === 'string') messages.push({ role: 'system', content: instructions })
  if (typeof input === 'string') messages.push({ role: 'user', content: input })
  else {
    let turn: { content: unknown[]; tool_calls: JsonObject[] } | undefined
    for (const [i, item] of requireItems(input, 'input').entries()) {
      const param = `input[${i}]`
      const read = readItem(requireObject(item, param), param)
      if (read.role !== 'assistant') {
        turn = undefined
        messages.push(read)
        continue
      }
      if (turn === undefined) {
        turn = { content: [], tool_calls: [] }
        messages.push({ role: 'assistant', ...turn })
      }
      turn.content.push(...(read.content as unknown[]))
      turn.tool_calls.push(...(read.tool_calls as JsonObject[]))
    }
  }
  return checkMessages(messages.map(withoutEmpty))
}

function withoutEmpty({ content, tool_calls: calls, ...message }: JsonObject): JsonObject {
  const said = Array.isArray(content) && content.length === 0 ? '' : content
  return { ...message, content: said, ...(Array.isArray(calls) && calls.length > 0 ? { tool_calls: calls } : {}) }
}

function readItem(item: JsonObject, param: string): JsonObject {
  switch (item.type) {
    case 'function_call': {
      const id = requireName(item.call_id, `${param}.call_id`)
      const name = requireName(item.name, `${param}.name`)
      if (typeof item.arguments !== 'string') throw wrongType(`${param}.arguments`, 'a string', item.arguments)
      const call = { id, type: 'function', function: { name, arguments: item.arguments } }
      return { role: 'assistant', content: [], tool_calls: [call] }
    }
    case 'function_call_output':
      return {
        role: 'tool',
        tool_call_id: requireName(item.call_id, `${param}.call_id`),
        content: readContent(item.output, `${param}.output`),
      }
    case 'reasoning':
      return { role: 'assistant', content: [], tool_calls: [] }
    case undefined:
    case 'message':
      return readMessage(item, param)
    default:
      throw invalidRequest(
        `${param}.type`,
        `'${param}.type' must be message, function_call, function_call_output or reasoning, but is ${kindOf(item.type)}.`,
      )
  }
}

function readMessage({ role, content }: JsonObject, param: string): JsonObject {
  if (typeof role !== 'string' || !['system', 'developer', 'user', 'assistant'].includes(role)) {
    throw invalidRequest(`${param}.role`, `'${param}.role' must be system, developer, user or assistant, but is ${kindOf(role)}.`)
  }
  const read = readContent(content, `${param}.content`)
  if (role !== 'assistant') return { role, content: read }
  const said = typeof read === 'string' ? (read === '' ? [] : [{ type: 'text', text: read }]) : read
  return { role, content: said, tool_calls: [] }
}

function readContent(content: unknown, param: string): string | JsonObject[] {
  if (typeof content === 'string') return content
  return requireItems(content, param).map((item, i) => {
    const place = `${param}[${i}]`
    const part = requireObject(item, place)
    switch (part.type) {
      case 'input_text':
      case 'output_text':
      case 'refusal': {
        const text = part.text ?? part.refusal
        if (typeof text !== 'string') throw wrongType(`${place}.text`, 'a string', text)
        return { type: 'text', text }
      }
      case 'input_image':
      case 'input_file':
        return { type: 'file', file: part }
      default:
        throw invalidRequest(
          `${place}.type`,
          `'${place}.type' must be input_text, output_text, refusal, input_image or input_file, but is ${kindOf(part.type)}.`,
        )
    }
  })
}

function readTools(value: unknown): readonly Tool[] {
  if (value === undefined || value === null) return []
  return requireItems(value, 'tools').map((item, i) => {
    const tool = requireObject(item, `tools[${i}]`)
    if (tool.type !== 'function') {
      throw invalidRequest(`tools[${i}].type`, `'tools[${i}].type' must be function, but is ${kindOf(tool.type)}.`)
    }
    const name = requireName(tool.name, `tools[${i}].name`)
    if (tool.parameters === undefined || tool.parameters === null) return { name }
    return { name, parameters: requireObject(tool.parameters, `tools[${i}].parameters`) }
  })
}

function readToolChoice(value: unknown, tools: readonly Tool[]): GenerationRequest['toolChoice'] {
  if (value === undefined || value === null) return tools.length === 0 ? 'none' : 'auto'
  if (value === 'none') return 'none'
  if (tools.length === 0) throw invalidRequest('tool_choice', "'tool_choice' is only allowed together with 'tools'.")
  if (value === 'auto' || value === 'required') return value
  const choice = requireObject(value, 'tool_choice')
  if (choice.type !== 'function') {
    throw invalidRequest('tool_choice.type', `'tool_choice.type' must be function, but is ${kindOf(choice.type)}.`)
  }
  const name = requireName(choice.name, 'tool_choice.name')
  if (!tools.some((tool) => tool.name === name)) {
    throw invalidRequest('tool_choice.name', `'tool_choice' names the function '${name}', which is not among 'tools'.`)
  }
  return { name }
}
