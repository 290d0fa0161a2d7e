import type { MediaPart, Message, Part, ToolCallPart, ToolResultPart } from '../../message/index.ts'
import type { JsonObject } from '../json-value.ts'

/**
 * A canonical message as this API's messages: one, but for a message that bundles several tool results. No message is ever
 * one that a server must refuse: content is there or tool calls are.
 *
 * @param reasoningFields where the server takes an assistant's reasoning back; none: it is left out
 */
export function toChatMessages(message: Message, reasoningFields: readonly string[]): JsonObject[] {
  switch (message.role) {
    case 'assistant':
      return [assistantMessage(message.parts, reasoningFields)]
    case 'tool':
      return toolMessages(message.parts)
    default:
      return [{ role: message.role, content: content(message.parts) }]
  }
}

function assistantMessage(parts: readonly Part[], reasoningFields: readonly string[]): JsonObject {
  const toolCalls = parts.filter((part) => part.type === 'tool_call').map(toolCall)
  const written = content(parts.map(describeMedia))
  const reasoning = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('')
  return {
    role: 'assistant',
    content: written === '' && toolCalls.length > 0 ? null : written,
    ...(reasoning !== '' && Object.fromEntries(reasoningFields.map((field) => [field, reasoning]))),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  }
}

function toolCall(part: ToolCallPart): JsonObject {
  // Servers parse arguments to render them: an empty text is no JSON.
  return { id: part.id, type: 'function', function: { name: part.name || 'unknown', arguments: part.arguments || '{}' } }
}

/** What stands beside the results (an image, a note) goes with the last one. */
function toolMessages(parts: readonly Part[]): JsonObject[] {
  const results = parts.filter((part): part is ToolResultPart => part.type === 'tool_result')
  const beside = parts.filter((part) => part.type === 'text' || part.type === 'media')
  if (results.length === 0) return [{ role: 'user', content: content(parts) }]
  return results.map((result, index) => {
    const extra = index === results.length - 1 ? beside : []
    return { role: 'tool', tool_call_id: result.id, content: content([{ type: 'text', text: result.content }, ...extra]) }
  })
}

/** One text is plain text, anything more a list of blocks, nothing the empty text. */
function content(parts: readonly Part[]): string | JsonObject[] {
  const blocks: JsonObject[] = []
  for (const part of parts) {
    if (part.type === 'text') blocks.push({ type: 'text', text: part.text })
    else if (part.type === 'media') blocks.push(mediaBlock(part))
  }
  const [only] = blocks
  if (only === undefined) return ''
  return blocks.length === 1 && typeof only.text === 'string' ? only.text : blocks
}

function mediaBlock(part: MediaPart): JsonObject {
  const url = 'uri' in part.source ? part.source.uri : `data:${part.mime};base64,${part.source.data}`
  switch (part.modality) {
    case 'image':
      return { type: 'image_url', image_url: { url } }
    case 'audio':
      return 'data' in part.source
        ? { type: 'input_audio', input_audio: { data: part.source.data, format: audioFormat(part.mime) } }
        : { type: 'audio_url', audio_url: { url } }
    case 'video':
      return { type: 'video_url', video_url: { url } }
    case 'file':
      return { type: 'file', file: 'data' in part.source ? { filename: 'file', file_data: url } : { file_id: url } }
  }
}

/** An assistant turn takes no media: a word stands for what the model made. */
function describeMedia(part: Part): Part {
  return part.type === 'media' ? { type: 'text', text: `[${part.modality}]` } : part
}

function audioFormat(mime: string): string {
  const subtype = mime.slice(mime.indexOf('/') + 1).replace(/^x-/, '')
  if (subtype === 'mpeg') return 'mp3'
  return subtype === 'wave' || subtype === 'vnd.wave' || subtype === '' ? 'wav' : subtype
}
