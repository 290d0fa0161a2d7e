import { isJsonObject, type JsonObject } from '../json.ts'
import type { MediaPart } from '../message.ts'
import { type BlockReader, firstId, mediaPart, modalityOf, toolCallPart, toolResultPart } from './block.ts'

/** The content parts of the Vercel AI SDK's messages, and the tool calls of its responses, which go without a type. */
export const readVercelPart: BlockReader = (part) => {
  switch (part.type) {
    case 'tool-call':
      return [readToolCall(part)]
    case 'tool-result':
      return [toolResultPart(firstId(part.toolCallId), readResult(part))]
    case 'redacted-reasoning':
      // Ciphertext that only the provider can read.
      return []
    case 'image':
      return part.image === undefined ? undefined : [readMedia(part, 'image', part.image)]
    case 'file':
      if (part.data === undefined || part.file !== undefined) return undefined
      return [readMedia(part, modalityOf(undefined, mimeOf(part)), part.data)]
    default:
      return part.type === undefined && typeof part.toolCallId === 'string' && typeof part.toolName === 'string'
        ? [readToolCall(part)]
        : undefined
  }
}

function readToolCall(part: JsonObject) {
  return toolCallPart(firstId(part.toolCallId), part.toolName, part.input ?? part.args)
}

/** Since version 5, a result says what kind of value it is: `{ type: 'json', value }`. */
function readResult({ output, result }: JsonObject): unknown {
  return isJsonObject(output) && typeof output.type === 'string' ? (output.value ?? output.reason) : (output ?? result)
}

function mimeOf(part: JsonObject): unknown {
  return part.mediaType ?? part.mimeType
}

/** Base64, a URL, or bytes as some serialiser wrote them, which are of no use. */
function readMedia(part: JsonObject, modality: MediaPart['modality'], source: unknown): MediaPart {
  const isUrl = typeof source === 'string' && /^(?:https?|data):/.test(source.slice(0, 6))
  return mediaPart(modality, mimeOf(part), isUrl ? { uri: source } : { data: source })
}
