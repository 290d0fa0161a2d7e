import type { MediaPart, Message, Part, ToolCallPart, ToolResultPart } from '../../message/index.ts'
import { isObject, type JsonObject, parseJson } from '../json-value.ts'

/**
 * The content blocks of a canonical message, as JSON texts. Only blocks that the API takes: a text without a word in it is
 * refused, and reasoning is taken back with its signature alone, which no trace holds.
 */
export function contentBlocks(message: Message): string[] {
  switch (message.role) {
    case 'assistant':
      return message.parts.flatMap((part) => {
        if (part.type === 'tool_call') return [toolUse(part)]
        return part.type === 'media' ? textBlock(`[${part.modality}]`) : plainBlocks(part)
      })
    case 'tool':
      return toolResults(message.parts)
    case 'system':
      return message.parts.flatMap((part) => (part.type === 'text' ? textBlock(part.text) : []))
    case 'user':
      return message.parts.flatMap(plainBlocks)
  }
}

function plainBlocks(part: Part): string[] {
  if (part.type === 'text') return textBlock(part.text)
  return part.type === 'media' ? mediaBlock(part) : []
}

function textBlock(text: string): string[] {
  return text.trim() === '' ? [] : [JSON.stringify({ type: 'text', text })]
}

/** Arguments are an object here: their recorded text stands in the body as it is, if it is one. */
function toolUse({ id, name, arguments: text }: ToolCallPart): string {
  const head = JSON.stringify({ type: 'tool_use', id: idOf(id), name: name || 'unknown' }).slice(0, -1)
  const input = isObject(parseJson(text)?.value) ? text : JSON.stringify(text.trim() === '' ? {} : { arguments: text })
  return `${head},"input":${input}}`
}

/** What stands beside the results (an image, a note) goes into the last one: in a message results must come first. */
function toolResults(parts: readonly Part[]): string[] {
  const results = parts.filter((part): part is ToolResultPart => part.type === 'tool_result')
  const beside = parts.flatMap(plainBlocks)
  if (results.length === 0) return beside
  return results.map((result, index) => {
    const content: JsonObject = { type: 'tool_result', tool_use_id: idOf(result.id) }
    if (index < results.length - 1 || beside.length === 0) return JSON.stringify({ ...content, content: result.content })
    const blocks = [...textBlock(result.content), ...beside].join()
    return `${JSON.stringify(content).slice(0, -1)},"content":[${blocks}]}`
  })
}

function mediaBlock({ modality, mime, source }: MediaPart): string[] {
  const type = modality === 'image' ? 'image' : modality === 'file' ? 'document' : undefined
  if (type === undefined) return textBlock(`[${modality}]`)
  const where =
    'uri' in source ? { type: 'url', url: source.uri } : { type: 'base64', media_type: mime || 'image/png', data: source.data }
  return [JSON.stringify({ type, source: where })]
}

/** The API takes letters, digits, `_` and `-` in ids. */
function idOf(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'toolu_unknown'
}
