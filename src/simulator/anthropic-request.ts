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
import { messagesInclude, renderPrompt } from './chat-messages.ts'
import { jsonText } from './chat-request.ts'
import type { GenerationRequest, Tool } from './generation-request.ts'
import { checkSampling, readLength } from './sampling-fields.ts'
import { TokenSequence } from './tokens.ts'

/**
 * Reads the body of `POST /v1/messages`. As strict as Anthropic's own server where a client can go wrong: texts are not
 * empty, ids are of the form it takes, and every tool use is answered at the beginning of the next message.
 *
 * @throws {ApiError} 400 that names the place
 */
export function readMessagesRequest(body: JsonObject, blockTokens: number): GenerationRequest {
  const model = requireName(body.model, 'model')
  if (body.max_tokens === undefined) throw wrongType('max_tokens', 'a whole number', undefined)
  const messages = readMessages(body.messages)
  const system = readSystem(body.system)
  const tools = readTools(body.tools)
  checkSampling(body, 1)
  const conversation: readonly [JsonObject, ...JsonObject[]] = system === undefined ? messages : [system, ...messages]
  const choice = body.tool_choice === undefined ? undefined : requireObject(body.tool_choice, 'tool_choice')
  return {
    model,
    prompt: renderPrompt(new TokenSequence(blockTokens), conversation, tools.length === 0 ? '' : jsonText(body.tools)),
    includesText: (text) => messagesInclude(conversation, text),
    tools,
    toolChoice: readToolChoice(choice, tools),
    parallelToolCalls: !optionalBoolean(choice?.disable_parallel_tool_use, 'tool_choice.disable_parallel_tool_use', false),
    ...readLength(body, 'max_tokens'),
    seed: optionalCount(body.seed, 'seed', Number.MIN_SAFE_INTEGER) ?? 0,
    stream: optionalBoolean(body.stream, 'stream', false),
    streamUsage: true,
  }
}

function readSystem(value: unknown): JsonObject | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return { role: 'system', content: value }
  const content = requireItems(value, 'system').map((item, i) => readText(requireObject(item, `system[${i}]`), `system[${i}]`))
  return { role: 'system', content }
}

/** The conversation as chat messages, of which the prompt is made. */
function readMessages(value: unknown): readonly [JsonObject, ...JsonObject[]] {
  const read: JsonObject[] = []
  let unanswered = new Set<string>()
  for (const [i, item] of requireItems(value, 'messages').entries()) {
    const param = `messages[${i}]`
    const message = requireObject(item, param)
    if (message.role !== 'user' && message.role !== 'assistant') {
      throw invalidRequest(`${param}.role`, `'${param}.role' must be user or assistant, but is ${kindOf(message.role)}.`)
    }
    if (i === 0 && message.role !== 'user')
      throw invalidRequest(`${param}.role`, `'${param}.role' must be user in the first message.`)
    const blocks = readBlocks(message.content, `${param}.content`)
    if (message.role === 'user') {
      const { results, said } = userBlocks(blocks, unanswered, `${param}.content`)
      read.push(...results)
      if (said.length > 0) read.push({ role: 'user', content: said })
      unanswered = new Set()
    } else {
      assertAnswered(unanswered, param)
      const { turn, ids } = assistantTurn(blocks, `${param}.content`)
      read.push(turn)
      unanswered = ids
    }
  }
  assertAnswered(unanswered, 'the end')
  const [first, ...rest] = read
  if (first === undefined) throw wrongType('messages', 'an array with at least one item', value)
  return [first, ...rest]
}

function readBlocks(content: unknown, param: string): readonly JsonObject[] {
  if (typeof content === 'string') return [readText({ type: 'text', text: content }, param)]
  return requireItems(content, param).map((item, i) => requireObject(item, `${param}[${i}]`))
}

function readText(block: JsonObject, param: string): JsonObject {
  if (block.type !== 'text') throw invalidRequest(`${param}.type`, `'${param}.type' must be text, but is ${kindOf(block.type)}.`)
  if (typeof block.text !== 'string' || block.text.trim() === '') {
    throw invalidRequest(`${param}.text`, `'${param}.text' must hold more than white space.`)
  }
  return { type: 'text', text: block.text }
}

function userBlocks(blocks: readonly JsonObject[], unanswered: Set<string>, param: string) {
  const results: JsonObject[] = []
  const said: JsonObject[] = []
  for (const [i, block] of blocks.entries()) {
    const place = `${param}[${i}]`
    if (block.type !== 'tool_result') {
      said.push(readSaid(block, place))
      continue
    }
    if (said.length > 0) throw invalidRequest(place, `'${place}' is a tool_result behind other content: results must come first.`)
    const id = readId(block.tool_use_id, `${place}.tool_use_id`)
    if (!unanswered.delete(id)) {
      throw invalidRequest(
        `${place}.tool_use_id`,
        `'${place}.tool_use_id' is '${id}', but no tool_use of that id waits in the message before.`,
      )
    }
    results.push({ role: 'tool', tool_call_id: id, content: resultContent(block.content, `${place}.content`) })
  }
  assertAnswered(unanswered, param)
  return { results, said }
}

function resultContent(content: unknown, param: string): unknown {
  if (content === undefined || typeof content === 'string') return content ?? ''
  return requireItems(content, param).map((item, i) => readSaid(requireObject(item, `${param}[${i}]`), `${param}[${i}]`))
}

function readSaid(block: JsonObject, param: string): JsonObject {
  if (block.type === 'image' || block.type === 'document') {
    requireObject(block.source, `${param}.source`)
    return block
  }
  return readText(block, param)
}

function assistantTurn(blocks: readonly JsonObject[], param: string): { turn: JsonObject; ids: Set<string> } {
  const ids = new Set<string>()
  const texts: JsonObject[] = []
  const calls: JsonObject[] = []
  for (const [i, block] of blocks.entries()) {
    const place = `${param}[${i}]`
    if (block.type === 'thinking' || block.type === 'redacted_thinking') continue
    if (block.type !== 'tool_use') {
      texts.push(readText(block, place))
      continue
    }
    const id = readId(block.id, `${place}.id`)
    if (ids.has(id)) throw invalidRequest(`${place}.id`, `'${place}.id' is '${id}', as is another tool_use of the message.`)
    ids.add(id)
    const name = requireName(block.name, `${place}.name`)
    const input = requireObject(block.input, `${place}.input`)
    calls.push({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } })
  }
  const turn = { role: 'assistant', content: texts, ...(calls.length === 0 ? {} : { tool_calls: calls }) }
  return { turn, ids }
}

function assertAnswered(unanswered: ReadonlySet<string>, at: string): void {
  if (unanswered.size === 0) return
  const ids = [...unanswered].map((id) => `'${id}'`).join(', ')
  throw invalidRequest('messages', `The tool_use ${ids} has no tool_result at ${at}: the next message must begin with them.`)
}

function readId(value: unknown, param: string): string {
  const id = requireName(value, param)
  if (!/^[a-zA-Z0-9_-]+$/.test(id)) throw invalidRequest(param, `'${param}' must hold letters, digits, _ and - only.`)
  return id
}

function readTools(value: unknown): readonly Tool[] {
  if (value === undefined) return []
  return requireItems(value, 'tools').map((item, i) => {
    const tool = requireObject(item, `tools[${i}]`)
    const name = requireName(tool.name, `tools[${i}].name`)
    const parameters = requireObject(tool.input_schema, `tools[${i}].input_schema`)
    if (parameters.type !== 'object') {
      throw invalidRequest(
        `tools[${i}].input_schema.type`,
        `'tools[${i}].input_schema.type' must be object, but is ${kindOf(parameters.type)}.`,
      )
    }
    return { name, parameters }
  })
}

function readToolChoice(choice: JsonObject | undefined, tools: readonly Tool[]): GenerationRequest['toolChoice'] {
  if (choice === undefined) return tools.length === 0 ? 'none' : 'auto'
  if (choice.type === 'none') return 'none'
  if (tools.length === 0) throw invalidRequest('tool_choice', "'tool_choice' is only allowed together with 'tools'.")
  if (choice.type === 'auto') return 'auto'
  if (choice.type === 'any') return 'required'
  if (choice.type !== 'tool') {
    throw invalidRequest('tool_choice.type', `'tool_choice.type' must be auto, any, tool or none, but is ${kindOf(choice.type)}.`)
  }
  const name = requireName(choice.name, 'tool_choice.name')
  if (!tools.some((tool) => tool.name === name)) {
    throw invalidRequest('tool_choice.name', `'tool_choice' names the tool '${name}', which is not among 'tools'.`)
  }
  return { name }
}
