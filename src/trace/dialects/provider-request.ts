import {
  type CallParams,
  isJsonObject,
  type JsonObject,
  type Message,
  type ToolDefinition,
  textOf,
  withSystemFirst,
} from '../../message/index.ts'
import type { ContentReader } from '../content-reader.ts'
import { readProviderParams } from './provider-params.ts'

/** What the body of a request to a model says. */
export interface ProviderRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  readonly params: CallParams
}

/** Where the APIs keep the conversation: chat completions, Anthropic and Bedrock; Responses; Gemini; completions. */
const CONVERSATION_KEYS = ['messages', 'input', 'contents', 'prompt']

/** Whether an object is the body of a request, of whatever API: it holds a conversation under one of their names. */
export function isProviderRequest(body: unknown): body is JsonObject {
  return isJsonObject(body) && CONVERSATION_KEYS.some((key) => isConversation(body[key]))
}

function isConversation(value: unknown): boolean {
  if (Array.isArray(value)) return !value.some(isPythonObject)
  return typeof value === 'string' || isJsonObject(value)
}

/** Objects that a recorder printed the way Python does, `role='user' content=…`, cannot be read back. */
function isPythonObject(value: unknown): boolean {
  return typeof value === 'string' && /^(?:\w+\()?role=['"]\w+['"] /.test(value.slice(0, 80))
}

/**
 * Reads the body of a request to OpenAI (chat, Responses, completions), Anthropic, Gemini or Bedrock, or the arguments of their
 * clients, as a recorder stored it.
 *
 * @param where names the attribute, for errors
 */
export function readProviderRequest(body: JsonObject, content: ContentReader, where: string): ProviderRequest {
  // Python's Gemini client nests all but the contents.
  const config = [body.config, body.generationConfig, body.generation_config, body.inferenceConfig].filter(isJsonObject)
  const places = [body, ...config]
  const key = CONVERSATION_KEYS.find((key) => isConversation(body[key]))
  const messages = key === undefined ? [] : content.messages(body[key], `${where}.${key}`)
  if (messages.length > 0 && typeof (body.previous_response_id ?? body.conversation) === 'string') {
    content.note(
      'history-kept-by-server',
      'A request names an earlier response whose history the provider keeps; only what was new was recorded, and only that can be replayed.',
    )
  }
  return {
    model: textOf(body.model) || textOf(body.modelId) || textOf(body.model_id),
    messages: withSystemFirst(readInstructions(places, content, where), messages),
    tools: readRequestTools(places, content, where),
    params: readProviderParams(places),
  }
}

const INSTRUCTION_KEYS = ['system', 'instructions', 'systemInstruction', 'system_instruction', 'systemPrompt', 'system_prompt']

function readInstructions(places: readonly JsonObject[], content: ContentReader, where: string): Message | undefined {
  for (const place of places) {
    for (const key of INSTRUCTION_KEYS) {
      const value = place[key]
      if (!isConversation(value)) continue
      const parts = content.messages(value, `${where}.${key}`, 'system').flatMap(({ parts }) => parts)
      if (parts.length > 0) return content.message('system', parts)
    }
  }
  return undefined
}

function readRequestTools(places: readonly JsonObject[], content: ContentReader, where: string): readonly ToolDefinition[] {
  for (const place of places) {
    const { tools, functions, toolConfig } = place
    const list = tools ?? functions ?? (isJsonObject(toolConfig) ? toolConfig.tools : undefined)
    if (Array.isArray(list) || typeof list === 'string') return content.tools(list, `${where}.tools`)
  }
  return []
}
