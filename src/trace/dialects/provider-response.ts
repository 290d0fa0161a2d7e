import { isJsonObject, type JsonObject, type Message, type TokenUsage, textOf } from '../../message/index.ts'
import type { ContentReader } from '../content-reader.ts'
import { readProviderUsage } from './provider-usage.ts'

/** What the body of a model's response says. */
export interface ProviderResponse {
  readonly model: string
  readonly responseId: string
  readonly output: Message | null
  readonly usage: TokenUsage
}

const NO_RESPONSE: ProviderResponse = { model: '', responseId: '', output: null, usage: {} }

/**
 * Reads the body of a response of OpenAI (chat, Responses, completions), Anthropic, Gemini or Bedrock as a recorder stored it:
 * whole, or nothing but the message, or its text.
 *
 * @param where names the attribute, for errors
 */
export function readProviderResponse(value: unknown, content: ContentReader, where: string): ProviderResponse {
  const body = content.dataOrText(value, where)
  if (!isJsonObject(body)) return { ...NO_RESPONSE, output: content.output(value, where, true) }
  if (Object.keys(body).length === 0) return NO_RESPONSE
  const message = messageOf(body)
  return {
    model: textOf(body.model) || textOf(body.modelVersion) || textOf(body.model_version),
    responseId: isResponse(body) ? textOf(body.id) || textOf(body.responseId) || textOf(body.response_id) : '',
    // Of an answer that is data, the text stays as the model wrote it.
    output: content.output(message === body ? value : message, where, true),
    usage: readProviderUsage(body.usage ?? body.usageMetadata ?? body.usage_metadata),
  }
}

const ENVELOPE = ['choices', 'candidates', 'object', 'usage', 'usageMetadata', 'usage_metadata']

/** A bare message may have an id, too, which is not the response's. */
function isResponse(body: JsonObject): boolean {
  return ENVELOPE.some((key) => body[key] !== undefined)
}

const MESSAGE_KEYS = ['choices', 'message', 'role', 'parts', 'content', 'text', 'tool_calls']

/** The message inside a response: one, or a list of items that are one turn. An answer that is data stands for itself. */
function messageOf(body: JsonObject): unknown {
  const { candidates, content, output } = body
  const [candidate] = Array.isArray(candidates) ? candidates.filter(isJsonObject) : []
  if (candidate !== undefined) return candidate.content ?? ''
  // Gemini's content is a message by itself.
  if (isJsonObject(content) && Array.isArray(content.parts)) return content
  if (isJsonObject(output) && isJsonObject(output.message)) return output.message
  if (Array.isArray(output) && body.choices === undefined) return output
  return isResponse(body) && !MESSAGE_KEYS.some((key) => body[key] !== undefined) ? undefined : body
}
