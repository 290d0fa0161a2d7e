import { isJsonObject, jsonTextOf } from '../json.ts'
import type { MediaPart, Part } from '../message.ts'
import {
  type BlockReader,
  firstId,
  mediaPart,
  modalityOf,
  reasoningPart,
  textPart,
  toolCallPart,
  toolResultPart,
} from './block.ts'

/** The content blocks of Anthropic's messages. Tools that the provider runs itself are not among them: no client answers those. */
export const readAnthropicBlock: BlockReader = (block) => {
  switch (block.type) {
    case 'tool_use':
      return [toolCallPart(firstId(block.id), block.name, block.input)]
    case 'tool_result':
      return [toolResultPart(firstId(block.tool_use_id, block.id), block.content)]
    case 'thinking':
      return reasoningPart(block.thinking ?? block.content ?? block.text)
    case 'redacted_thinking':
      // Ciphertext that only the provider can read.
      return []
    case 'image':
      return isJsonObject(block.source) ? readSource('image', block.source) : undefined
    case 'document':
      return isJsonObject(block.source) ? readSource('file', block.source) : undefined
    default:
      return undefined
  }
}

function readSource(modality: MediaPart['modality'], source: Readonly<Record<string, unknown>>): readonly Part[] {
  const { type, media_type: mime, data, url, file_id: fileId, content } = source
  if (type === 'text') return textPart(data)
  if (type === 'content') return textPart(jsonTextOf(content))
  const kind = modality === 'file' ? modalityOf(undefined, mime) : modality
  return [mediaPart(kind, mime, typeof data === 'string' ? { data } : { uri: url ?? fileId })]
}
