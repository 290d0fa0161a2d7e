import { isObject, type JsonObject } from '../json-value.ts'

/** Where a chunk that only carries text adds it: to the answer, the reasoning, or the arguments of an open tool call. */
export type TextPlace =
  | { readonly field: 'content' | 'reasoning_content' | 'reasoning' }
  | { readonly field: 'arguments'; readonly index: number }

/** What a chunk does that adds to one text, or tells the usage, or does nothing but to give a role or to end the answer. */
export interface KnownChunk {
  readonly model: unknown
  readonly place?: TextPlace
  readonly finishReason?: string
  readonly hasUsage?: true
}

/** `undefined` for a chunk that does anything else. */
export function meaningOf(chunk: JsonObject): KnownChunk | undefined {
  if (isSet(chunk.error) || chunk.object === 'error') return undefined
  const choices: readonly unknown[] = Array.isArray(chunk.choices) ? chunk.choices : []
  if (isSet(chunk.usage))
    return choices.length === 0 && isObject(chunk.usage) ? { model: chunk.model, hasUsage: true } : undefined
  const [choice] = choices
  if (choices.length !== 1 || !isObject(choice) || (isSet(choice.index) && choice.index !== 0)) return undefined
  const place = isObject(choice.delta) ? textPlaceOf(choice.delta) : undefined
  const { model } = chunk
  const finishReason = choice.finish_reason
  if (place === undefined) return undefined
  // Some servers send an empty one until they have a reason.
  if (!isSet(finishReason) || finishReason === '') return place === 'nothing' ? { model } : { model, place }
  const endsWell = typeof finishReason === 'string' && !isFailure(finishReason)
  return place === 'nothing' && endsWell ? { model, finishReason } : undefined
}

/** Finish reasons with which a server says that it gave the answer up. */
export function isFailure(finishReason: string): boolean {
  return finishReason === 'error' || finishReason === 'abort'
}

/** Where a delta adds text; `'nothing'` when it has none at all, `undefined` when it does more than to add to one text. */
function textPlaceOf(delta: JsonObject): TextPlace | 'nothing' | undefined {
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
