import type { JsonObject } from '../json.ts'
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

/** The parts of the OpenTelemetry GenAI conventions, in all spellings that were ever current. */
export const readGenAiPart: BlockReader = (block) => {
  const { type } = block
  switch (type) {
    case 'text':
      return textPart(block.content ?? block.text)
    case 'reasoning':
      return reasoningPart(block.content ?? block.text)
    case 'tool_call':
      return [toolCallPart(callId(block), block.name, block.arguments)]
    case 'tool_call_response':
      return [toolResultPart(callId(block), block.response ?? block.result)]
    case 'blob':
      return [mediaPart(modalityOf(block.modality, block.mime_type), block.mime_type, { data: block.content ?? block.data })]
    case 'uri':
      return [mediaPart(modalityOf(block.modality, block.mime_type), block.mime_type, { uri: block.uri })]
    case 'file':
      // OpenAI's blocks of this type hold an object `file` instead.
      if (typeof block.file_id !== 'string') return undefined
      return [mediaPart(modalityOf(block.modality, block.mime_type), block.mime_type, { uri: block.file_id })]
    default:
      return undefined
  }
}

/** Where both are written, `call_id` is what results refer to, and `id` names the item of a list. */
function callId(block: JsonObject): string {
  return firstId(block.call_id, block.id)
}
