import type { CallParams, JsonObject } from '../../message/index.ts'
import { defined } from './defined.ts'

/**
 * Parameters of a request in the spellings of the providers' APIs. Recorders also write numbers as text, and -1 or an empty
 * text for "not given".
 *
 * @param places objects that may hold them, the nearest first
 */
export function readProviderParams(places: readonly JsonObject[]): CallParams {
  const first = <Value>(read: (value: unknown) => Value | undefined, ...keys: readonly string[]): Value | undefined => {
    for (const place of places) {
      for (const key of keys) {
        const value = read(place[key])
        if (value !== undefined) return value
      }
    }
    return undefined
  }
  return defined({
    maxTokens: first(toCount, 'max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxTokens', 'maxOutputTokens'),
    temperature: first(toNumber, 'temperature'),
    topP: first(toNumber, 'top_p', 'topP'),
    topK: first(toNumber, 'top_k', 'topK'),
    seed: first(toNumber, 'seed'),
    stop: first(toTexts, 'stop', 'stop_sequences', 'stopSequences'),
    frequencyPenalty: first(toNumber, 'frequency_penalty', 'frequencyPenalty'),
    presencePenalty: first(toNumber, 'presence_penalty', 'presencePenalty'),
    stream: first((value) => (typeof value === 'boolean' ? value : undefined), 'stream'),
  })
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function toCount(value: unknown): number | undefined {
  const number = toNumber(value)
  return number !== undefined && number > 0 ? number : undefined
}

function toTexts(value: unknown): readonly string[] | undefined {
  // An empty list is also recorded as the text of an object.
  const texts = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string' && !/^(?:\{.*)?$/.test(item))
  return texts.length > 0 ? texts : undefined
}
