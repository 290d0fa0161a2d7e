import { isObject, type JsonObject } from '../json-value.ts'

/** Where a chunk that only carries text adds it: to the answer, the reasoning, or the arguments of an open tool call. */
export type TextPlace =
  | { readonly field: 'content' | 'reasoning_content' | 'reasoning' }
  | { readonly field: 'arguments'; readonly index: number }

/** A chunk's one delta, if the chunk does nothing that its choice does not say; else `undefined`. */
export function loneChoice(chunk: JsonObject): { readonly delta: JsonObject; readonly finishes: boolean } | undefined {
  if (isSet(chunk.error) || isSet(chunk.usage) || chunk.object === 'error') return undefined
  const choices: readonly unknown[] = Array.isArray(chunk.choices) ? chunk.choices : []
  const [choice] = choices
  if (choices.length !== 1 || !isObject(choice) || (isSet(choice.index) && choice.index !== 0)) return undefined
  return isObject(choice.delta) ? { delta: choice.delta, finishes: isSet(choice.finish_reason) } : undefined
}

/** Where a delta adds text; `'nothing'` when it has none at all, `undefined` when it does more than to add to one text. */
export function textPlaceOf(delta: JsonObject): TextPlace | 'nothing' | undefined {
  let found: TextPlace | 'nothing' = 'nothing'
  for (const [field, value] of Object.entries(delta)) {
    if (!isSet(value) || value === '' || field === 'role') continue
    const one = field === 'tool_calls' ? argumentsOf(value) : plainText(field, value)
    if (one === undefined || found !== 'nothing') return undefined
    found = one
  }
  return found
}

function plainText(field: string, text: unknown): TextPlace | undefined {
  if (typeof text !== 'string') return undefined
  return field === 'content' || field === 'reasoning_content' || field === 'reasoning' ? { field } : undefined
}

/** More arguments of a call that an earlier chunk has begun. */
function argumentsOf(value: unknown): TextPlace | undefined {
  const entries: readonly unknown[] = Array.isArray(value) ? value : []
  const [entry] = entries
  if (entries.length !== 1 || !isObject(entry) || typeof entry.index !== 'number' || !isObject(entry.function)) return undefined
  const begins = [entry.id, entry.function.name].some((part) => isSet(part) && part !== '')
  const text = entry.function.arguments
  return begins || typeof text !== 'string' || text === '' ? undefined : { field: 'arguments', index: entry.index }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}
