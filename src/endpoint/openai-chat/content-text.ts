import { isObject, textOf } from '../json-value.ts'

/** Text and reasoning of a `content` field. */
export interface ContentText {
  readonly text: string
  readonly reasoning: string
}

/** A `content` that is a list of blocks (`text`, `refusal`, `thinking`, `reasoning`, nested lists of them) or a lone block. */
export function readContentBlocks(value: unknown): ContentText {
  let text = ''
  let reasoning = ''
  for (const block of Array.isArray(value) ? value : [value]) {
    if (typeof block === 'string') text += block
    else if (isObject(block)) {
      if (block.type === 'thinking' || block.type === 'reasoning')
        reasoning += plainText(block.thinking ?? block.reasoning ?? block.text)
      else text += textOf(block.text) + textOf(block.refusal)
    }
  }
  return { text, reasoning }
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : readContentBlocks(value).text
}
