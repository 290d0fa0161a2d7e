import { isJsonObject, type JsonObject, jsonTextOf, textOf } from '../json.ts'
import type { MediaPart, Part, TextPart } from '../message.ts'

/**
 * Reads one content block (an entry of a message's `content` or `parts`) as one family of APIs writes it.
 *
 * To teach the project another API's blocks, add a file beside this one and its reader to the list in `index.ts`. Blocks are
 * told by what they hold, so readers of several APIs get along in one list, and one message may mix them.
 *
 * @returns what the block says, possibly nothing (`[]`); `undefined` when the block is not of this family
 */
export type BlockReader = (block: JsonObject) => readonly Part[] | undefined

/** Empty texts say nothing; recorders write them beside tool calls. */
export function textPart(value: unknown): readonly TextPart[] {
  return typeof value === 'string' && value !== '' ? [{ type: 'text', text: value }] : []
}

export function reasoningPart(value: unknown): readonly Part[] {
  return typeof value === 'string' && value !== '' ? [{ type: 'reasoning', text: value }] : []
}

/** @param args an object, or JSON text as the model wrote it */
export function toolCallPart(id: string, name: unknown, args: unknown): Part {
  return { type: 'tool_call', id, name: textOf(name), arguments: jsonTextOf(args) }
}

export function toolResultPart(id: string, content: unknown): Part {
  return { type: 'tool_result', id, content: resultText(content) }
}

/** The first of several places in which an id may stand; `''` when it stands in none. */
export function firstId(...candidates: readonly unknown[]): string {
  for (const candidate of candidates) {
    if (typeof candidate === 'string' && candidate !== '') return candidate
    if (typeof candidate === 'number') return String(candidate)
    // An id of a run and of a call in it.
    if (Array.isArray(candidate)) return firstId(...candidate.toReversed())
  }
  return ''
}

/** `data:` URLs are taken apart, so that equal media are equal however they were attached. */
export function mediaPart(
  modality: MediaPart['modality'],
  mime: unknown,
  source: { uri: unknown } | { data: unknown },
): MediaPart {
  const uri = 'uri' in source ? textOf(source.uri) : ''
  const inline = /^data:([^;,]*);base64,/.exec(uri.slice(0, 200))
  if (inline !== null) {
    return { type: 'media', modality, mime: inline[1] || textOf(mime), source: { data: uri.slice(inline[0].length) } }
  }
  return { type: 'media', modality, mime: textOf(mime), source: 'uri' in source ? { uri } : { data: textOf(source.data) } }
}

export function modalityOf(value: unknown, mime: unknown): MediaPart['modality'] {
  if (value === 'image' || value === 'audio' || value === 'video') return value
  const [kind] = textOf(mime).split('/')
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file'
}

/** A tool's result as text: block lists of text are joined with newlines, anything else is kept as JSON text. */
export function resultText(content: unknown): string {
  if (!Array.isArray(content) || content.length === 0) return jsonTextOf(content)
  const texts = content.map(blockText)
  return texts.every((text) => text !== undefined) ? texts.join('\n') : jsonTextOf(content)
}

function blockText(block: unknown): string | undefined {
  if (typeof block === 'string') return block
  if (!isJsonObject(block)) return undefined
  const { type = 'text', text, content } = block
  if (type !== 'text' && type !== 'input_text' && type !== 'output_text') return undefined
  if (typeof text === 'string') return text
  return typeof content === 'string' ? content : undefined
}
