import { invalidRequest } from './api-error.ts'
import { isObject, type JsonObject, kindOf, requireItems, requireName, requireObject, wrongType } from './body-fields.ts'
import type { Marker, TokenSequence } from './tokens.ts'

/** Role in the body → role the model sees. */
const ROLES: Readonly<Record<string, Marker>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
}

/**
 * Holds the messages to the rules real servers hold them to, above all that tool calls and their results match: each call
 * of an assistant message is answered once by the tool messages that follow directly, and they answer nothing else.
 *
 * @throws {ApiError} 400 that names the place
 */
export function checkMessages(value: unknown): readonly [JsonObject, ...JsonObject[]] {
  const messages = requireItems(value, 'messages').map((item, i) => checkMessage(item, `messages[${i}]`))
  const [first, ...rest] = messages
  if (first === undefined) throw wrongType('messages', 'an array with at least one item', value)
  checkToolCalls(messages)
  return [first, ...rest]
}

function checkMessage(item: unknown, param: string): JsonObject {
  const message = requireObject(item, param)
  const role = message.role
  if (typeof role !== 'string') throw wrongType(`${param}.role`, 'a string', role)
  if (!Object.hasOwn(ROLES, role)) {
    throw invalidRequest(
      `${param}.role`,
      `'${param}.role' must be one of ${Object.keys(ROLES).join(', ')}, but is ${kindOf(role)}.`,
    )
  }
  if (role === 'tool') requireName(message.tool_call_id, `${param}.tool_call_id`)
  const calls = role === 'assistant' ? toolCallsOf(message, param) : []
  checkContent(message.content, `${param}.content`, calls.length > 0)
  return message
}

function checkContent(content: unknown, param: string, optional: boolean): void {
  if (typeof content === 'string' || (optional && (content === null || content === undefined))) return
  if (!Array.isArray(content)) throw wrongType(param, 'a string or an array of parts', content)
  for (const [i, part] of requireItems(content, param).entries()) checkPart(part, `${param}[${i}]`)
}

function checkPart(value: unknown, param: string): void {
  const part = requireObject(value, param)
  switch (part.type) {
    case 'text':
      if (typeof part.text !== 'string') throw wrongType(`${param}.text`, 'a string', part.text)
      return
    case 'refusal':
      if (typeof part.refusal !== 'string') throw wrongType(`${param}.refusal`, 'a string', part.refusal)
      return
    case 'image_url':
    case 'input_audio':
    case 'video_url':
    case 'audio_url':
    case 'file':
      requireObject(part[part.type], `${param}.${part.type}`)
      return
    default:
      throw invalidRequest(
        `${param}.type`,
        `'${param}.type' must be text, refusal, image_url, input_audio, audio_url, video_url or file, but is ${kindOf(part.type)}.`,
      )
  }
}

interface MessageToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

function toolCallsOf(message: JsonObject, param: string): readonly MessageToolCall[] {
  if (message.tool_calls === undefined || message.tool_calls === null) return []
  return requireItems(message.tool_calls, `${param}.tool_calls`).map((item, i) => {
    const place = `${param}.tool_calls[${i}]`
    const call = requireObject(item, place)
    const id = requireName(call.id, `${place}.id`)
    if (call.type !== undefined && call.type !== 'function') {
      throw invalidRequest(`${place}.type`, `'${place}.type' must be function, but is ${kindOf(call.type)}.`)
    }
    const called = requireObject(call.function, `${place}.function`)
    const name = requireName(called.name, `${place}.function.name`)
    if (typeof called.arguments !== 'string') throw wrongType(`${place}.function.arguments`, 'a string', called.arguments)
    return { id, name, arguments: called.arguments }
  })
}

function checkToolCalls(messages: readonly JsonObject[]): void {
  let unanswered = new Set<string>()
  let answered = new Set<string>()
  let callsAt = -1
  for (const [i, message] of messages.entries()) {
    if (message.role === 'tool') {
      const id = String(message.tool_call_id)
      const param = `messages[${i}].tool_call_id`
      if (answered.has(id)) throw invalidRequest(param, `'${param}' is '${id}', but that tool call has its result already.`)
      if (!unanswered.delete(id)) {
        throw invalidRequest(
          param,
          `'${param}' is '${id}', but no tool call of that id stands in the assistant message before: a tool message must answer one.`,
        )
      }
      answered.add(id)
      continue
    }
    assertAnswered(unanswered, callsAt)
    callsAt = i
    answered = new Set()
    unanswered = new Set()
    if (message.role !== 'assistant') continue
    for (const [j, call] of toolCallsOf(message, `messages[${i}]`).entries()) {
      const param = `messages[${i}].tool_calls[${j}].id`
      if (unanswered.has(call.id))
        throw invalidRequest(param, `'${param}' is '${call.id}', as is another tool call of the message.`)
      unanswered.add(call.id)
    }
  }
  assertAnswered(unanswered, callsAt)
}

function assertAnswered(unanswered: ReadonlySet<string>, at: number): void {
  if (unanswered.size === 0) return
  const ids = [...unanswered].map((id) => `'${id}'`).join(', ')
  throw invalidRequest(
    `messages[${at}].tool_calls`,
    `'messages[${at}].tool_calls' has no result for ${ids}: tool messages that answer every tool call must follow directly.`,
  )
}

/**
 * The prompt as the model sees it: the chat template. Tool definitions come after the first message, so that whatever
 * sets apart the head of the first message sets apart the whole prompt. Ids of tool calls are not part of it.
 */
export function renderPrompt(
  prompt: TokenSequence,
  messages: readonly [JsonObject, ...JsonObject[]],
  toolDefinitions: string,
): TokenSequence {
  for (const [i, message] of messages.entries()) {
    prompt.marker(ROLES[String(message.role)] ?? 'user')
    renderMessage(prompt, message, `messages[${i}]`)
    prompt.marker('end')
    if (i === 0 && toolDefinitions !== '') {
      prompt.marker('tools')
      prompt.text(toolDefinitions)
    }
  }
  prompt.marker('assistant')
  return prompt
}

function renderMessage(prompt: TokenSequence, message: JsonObject, param: string): void {
  const reasoning = message.reasoning ?? message.reasoning_content
  if (message.role === 'assistant' && typeof reasoning === 'string') prompt.text(reasoning)
  for (const part of partsOf(message)) {
    if (typeof part === 'string') prompt.text(part)
    else prompt.media(JSON.stringify(part))
  }
  if (message.role !== 'assistant') return
  for (const call of toolCallsOf(message, param)) {
    prompt.toolCall(call.name)
    prompt.text(call.arguments)
  }
}

/** Texts, and media as they stand in the body. */
function partsOf(message: JsonObject): readonly (string | JsonObject)[] {
  if (typeof message.content === 'string') return [message.content]
  if (!Array.isArray(message.content)) return []
  return message.content.filter(isObject).map((part) => {
    const text = part.text ?? part.refusal
    return typeof text === 'string' ? text : part
  })
}

/** Whether one of the messages holds the text. */
export function messagesInclude(messages: readonly JsonObject[], text: string): boolean {
  return messages.some((message) => partsOf(message).some((part) => typeof part === 'string' && part.includes(text)))
}
