import { isObject, type JsonObject } from '../json-value.ts'

/** What a chunk does when all it does is add to one text: the answer, the reasoning, or the arguments of an open tool call. */
export type TextDelta =
  | { readonly field: 'content' | 'reasoning_content' | 'reasoning'; readonly text: string }
  | { readonly field: 'arguments'; readonly index: number; readonly text: string }

/** A chunk's one delta, if the chunk does nothing that its choice does not say; else `undefined`. */
export function loneChoice(chunk: JsonObject): { readonly delta: JsonObject; readonly finishes: boolean } | undefined {
  if (isSet(chunk.error) || isSet(chunk.usage) || chunk.object === 'error') return undefined
  const choices: readonly unknown[] = Array.isArray(chunk.choices) ? chunk.choices : []
  const [choice] = choices
  if (choices.length !== 1 || !isObject(choice) || (isSet(choice.index) && choice.index !== 0)) return undefined
  return isObject(choice.delta) ? { delta: choice.delta, finishes: isSet(choice.finish_reason) } : undefined
}

/** What a delta adds; `'nothing'` when it has no text at all, `undefined` when it does more than to add to one text. */
export function textDeltaOf(delta: JsonObject): TextDelta | 'nothing' | undefined {
  let found: TextDelta | 'nothing' = 'nothing'
  for (const [field, value] of Object.entries(delta)) {
    if (!isSet(value) || value === '' || field === 'role') continue
    const one = field === 'tool_calls' ? argumentsOf(value) : plainText(field, value)
    if (one === undefined || found !== 'nothing') return undefined
    found = one
  }
  return found
}

function plainText(field: string, text: unknown): TextDelta | undefined {
  if (typeof text !== 'string') return undefined
  return field === 'content' || field === 'reasoning_content' || field === 'reasoning' ? { field, text } : undefined
}

/** More arguments of a call that an earlier chunk has begun. */
function argumentsOf(value: unknown): TextDelta | undefined {
  const entries: readonly unknown[] = Array.isArray(value) ? value : []
  const [entry] = entries
  if (entries.length !== 1 || !isObject(entry) || typeof entry.index !== 'number' || !isObject(entry.function)) return undefined
  const begins = [entry.id, entry.function.name].some((part) => isSet(part) && part !== '')
  const text = entry.function.arguments
  return begins || typeof text !== 'string' || text === '' ? undefined : { field: 'arguments', index: entry.index, text }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}
