import { isJsonObject, type JsonObject, jsonTextOf, textOf } from '../json.ts'
import type { MediaPart, Part } from '../message.ts'
import { type BlockReader, firstId, mediaPart, reasoningPart, textPart, toolCallPart, toolResultPart } from './block.ts'

/**
 * The content blocks of Bedrock's Converse: objects with a single key that says what they are. Some recorders take a block
 * out of its key and name it under `type` instead.
 */
export const readBedrockBlock: BlockReader = (block) => {
  const { type } = block
  const inner = (key: string) => (isJsonObject(block[key]) ? block[key] : type === key ? block : undefined)
  const toolUse = inner('toolUse')
  if (toolUse !== undefined) return [toolCallPart(firstId(toolUse.toolUseId), toolUse.name, toolUse.input)]
  const toolResult = inner('toolResult')
  if (toolResult !== undefined) return [toolResultPart(firstId(toolResult.toolUseId), resultContent(toolResult.content))]
  const reasoning = inner('reasoningContent')
  if (reasoning !== undefined) {
    return reasoningPart(isJsonObject(reasoning.reasoningText) ? reasoning.reasoningText.text : reasoning.text)
  }
  if (block.cachePoint !== undefined || type === 'cachePoint') return []
  const guarded = inner('guardContent')
  if (guarded !== undefined) return textPart(isJsonObject(guarded.text) ? guarded.text.text : guarded.text)
  return type === undefined ? readMedia(block) : undefined
}

/** Results that are data stand under `json`. */
function resultContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return content.map((item) => (isJsonObject(item) && item.json !== undefined ? jsonTextOf(item.json) : item))
}

const MEDIA: readonly (readonly [key: string, modality: MediaPart['modality']])[] = [
  ['image', 'image'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['document', 'file'],
]

function readMedia(block: JsonObject): readonly Part[] | undefined {
  for (const [key, modality] of MEDIA) {
    const media = block[key]
    if (!isJsonObject(media) || !isJsonObject(media.source)) continue
    const { bytes, s3Location, text } = media.source
    if (typeof text === 'string') return textPart(text)
    const format = textOf(media.format)
    const mime = modality === 'file' || format === '' ? format : `${modality}/${format}`
    const uri = isJsonObject(s3Location) ? s3Location.uri : undefined
    return [mediaPart(modality, mime, uri === undefined ? { data: jsonTextOf(bytes) } : { uri })]
  }
  return undefined
}
