import { isJsonObject, type JsonObject, jsonTextOf } from '../json.ts'
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

/** The parts of Genkit's messages: objects without a type, told by their keys. Its texts look like Gemini's. */
export const readGenkitPart: BlockReader = (part) => {
  if (part.type !== undefined) return undefined
  const inner = (key: string): JsonObject | undefined => (isJsonObject(part[key]) ? part[key] : undefined)
  const request = inner('toolRequest')
  if (request !== undefined) return [toolCallPart(firstId(request.ref), request.name, request.input ?? {})]
  const response = inner('toolResponse')
  if (response !== undefined) return [toolResultPart(firstId(response.ref), response.output)]
  const media = inner('media')
  if (media !== undefined) return [mediaPart(modalityOf(undefined, media.contentType), media.contentType, { uri: media.url })]
  if (typeof part.reasoning === 'string') return reasoningPart(part.reasoning)
  return part.data === undefined ? undefined : textPart(jsonTextOf(part.data))
}
