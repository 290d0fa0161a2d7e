import type { MediaPart, Message, Part, ToolResultPart } from '../../message/index.ts'
import type { JsonObject } from '../json-value.ts'

/**
 * A canonical message as this API's input items: calls and results are items of their own, beside what is said. Reasoning
 * is left out: it is taken back by an id the server gave, or encrypted.
 */
export function inputItems(message: Message): JsonObject[] {
  switch (message.role) {
    case 'assistant':
      return assistantItems(message.parts)
    case 'tool':
      return toolItems(message.parts)
    default:
      return [{ role: message.role, content: content(message.parts) }]
  }
}

function assistantItems(parts: readonly Part[]): JsonObject[] {
  const items: JsonObject[] = []
  for (const part of parts) {
    if (part.type === 'text') items.push(said(part.text))
    else if (part.type === 'media') items.push(said(`[${part.modality}]`))
    else if (part.type === 'tool_call') {
      // Servers parse arguments to render them: an empty text is no JSON.
      items.push({ type: 'function_call', call_id: part.id, name: part.name || 'unknown', arguments: part.arguments || '{}' })
    }
  }
  // A turn that said nothing stays a turn: what follows it must not read as one with what came before.
  return items.length === 0 ? [said('')] : items
}

/** As the server wrote it itself: the short form is not taken everywhere. */
function said(text: string): JsonObject {
  return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }
}

/** What stands beside the results (an image, a note) follows as the user's. */
function toolItems(parts: readonly Part[]): JsonObject[] {
  const results = parts.filter((part): part is ToolResultPart => part.type === 'tool_result')
  const beside = parts.filter((part) => part.type === 'text' || part.type === 'media')
  const outputs = results.map(({ id, content: output }) => ({ type: 'function_call_output', call_id: id, output }))
  return beside.length === 0 && results.length > 0 ? outputs : [...outputs, { role: 'user', content: content(beside) }]
}

/** One text is plain text, anything more a list, nothing the empty text. */
function content(parts: readonly Part[]): string | JsonObject[] {
  const blocks: JsonObject[] = []
  for (const part of parts) {
    if (part.type === 'text') blocks.push({ type: 'input_text', text: part.text })
    else if (part.type === 'media') blocks.push(mediaItem(part))
  }
  const [only] = blocks
  if (only === undefined) return ''
  return blocks.length === 1 && typeof only.text === 'string' ? only.text : blocks
}

function mediaItem({ modality, mime, source }: MediaPart): JsonObject {
  const url = 'uri' in source ? source.uri : `data:${mime};base64,${source.data}`
  if (modality === 'image') return { type: 'input_image', image_url: url, detail: 'auto' }
  if (modality !== 'file') return { type: 'input_text', text: `[${modality}]` }
  return 'uri' in source ? { type: 'input_file', file_url: url } : { type: 'input_file', filename: 'file', file_data: url }
}
