import { isJsonObject, type JsonObject, jsonTextOf, textOf } from '../json.ts'
import type { Part } from '../message.ts'
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

/**
 * The parts of Gemini's contents, in the spelling of the API or of its Python client: objects without a type, told by their
 * keys. Bedrock's text blocks look the same. Tool calls mostly have no id: results then answer them in order.
 */
export const readGeminiPart: BlockReader = (part) => {
  if (part.type !== undefined) return undefined
  const inner = (camel: string, snake: string) => [part[camel], part[snake]].find(isJsonObject)
  const call = inner('functionCall', 'function_call')
  if (call !== undefined) return [toolCallPart(firstId(call.id), call.name, call.args ?? {})]
  const response = inner('functionResponse', 'function_response')
  if (response !== undefined) return [toolResultPart(firstId(response.id), response.response)]
  const inline = inner('inlineData', 'inline_data')
  if (inline !== undefined) return [readMedia(inline, { data: inline.data })]
  const file = inner('fileData', 'file_data')
  if (file !== undefined) return [readMedia(file, { uri: file.fileUri ?? file.file_uri })]
  // What the provider ran itself is part of what the model wrote.
  const code = inner('executableCode', 'executable_code') ?? inner('codeExecutionResult', 'code_execution_result')
  if (code !== undefined) return textPart(textOf(code.code) || textOf(code.output) || jsonTextOf(code))
  if (typeof part.text === 'string') return part.thought === true ? reasoningPart(part.text) : textPart(part.text)
  return typeof (part.thoughtSignature ?? part.thought_signature) === 'string' ? [] : undefined
}

function readMedia(media: JsonObject, source: { uri: unknown } | { data: unknown }): Part {
  const mime = media.mimeType ?? media.mime_type
  return mediaPart(modalityOf(undefined, mime), mime, source)
}
