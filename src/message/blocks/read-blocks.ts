import { isJsonObject, type JsonObject, jsonTextOf, textOf } from '../json.ts'
import type { Part } from '../message.ts'
import type { MessageProblem } from '../shapes/shape.ts'
import { textPart } from './block.ts'
import { blockReaders } from './index.ts'

/** The content of a message: a text, a block, or a list of both. */
export function readBlocks(content: unknown, report: (problem: MessageProblem) => void): Part[] {
  if (!Array.isArray(content)) {
    // No block, but somebody's data: the model saw it as text.
    return isJsonObject(content) && content.type !== undefined
      ? [...readBlock(content, report)]
      : [...textPart(jsonTextOf(content))]
  }
  const parts: Part[] = []
  for (const block of content) {
    parts.push(...(isJsonObject(block) ? readBlock(block, report) : textPart(jsonTextOf(block))))
  }
  return parts
}

function readBlock(block: JsonObject, report: (problem: MessageProblem) => void): readonly Part[] {
  for (const read of blockReaders) {
    const parts = read(block)
    if (parts !== undefined) return parts
  }
  const type = textOf(block.type)
  const text = textOf(block.content) || textOf(block.text)
  report({
    code: 'unknown-part',
    message: `${text === '' ? 'Left out' : 'Kept as text'} a message part of ${type === '' ? `unknown form (${keysOf(block)})` : `unknown type '${type.slice(0, 40)}'`}.`,
  })
  return textPart(text)
}

function keysOf(block: JsonObject): string {
  const keys = Object.keys(block)
  return keys.length === 0 ? 'an empty object' : `keys ${keys.slice(0, 5).join(', ').slice(0, 80)}`
}
