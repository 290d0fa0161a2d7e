import type { CallParams, JsonObject } from '../../message/index.ts'

const NUMBERS: readonly (readonly [
  param: 'maxTokens' | 'temperature' | 'topP' | 'topK' | 'seed' | 'frequencyPenalty' | 'presencePenalty',
  keys: readonly string[],
])[] = [
  ['maxTokens', ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxTokens', 'maxOutputTokens']],
  ['temperature', ['temperature']],
  ['topP', ['top_p', 'topP']],
  ['topK', ['top_k', 'topK']],
  ['seed', ['seed']],
  ['frequencyPenalty', ['frequency_penalty', 'frequencyPenalty']],
  ['presencePenalty', ['presence_penalty', 'presencePenalty']],
]

const STOP_KEYS = ['stop', 'stop_sequences', 'stopSequences']

/**
 * Parameters of a request in the spellings of the providers' APIs. Recorders also write numbers as text, and -1 or an empty
 * text for "not given".
 *
 * @param places objects that may hold them, the nearest first
 */
export function readProviderParams(places: readonly JsonObject[]): CallParams {
  const params: { -readonly [Key in keyof CallParams]: CallParams[Key] } = {}
  for (const [param, keys] of NUMBERS) {
    const value = firstOf(places, keys, toNumber)
    if (value !== undefined && !(param === 'maxTokens' && value <= 0)) params[param] = value
  }
  const stop = firstOf(places, STOP_KEYS, toTexts)
  if (stop !== undefined) params.stop = stop
  const stream = firstOf(places, ['stream'], (value) => (typeof value === 'boolean' ? value : undefined))
  if (stream !== undefined) params.stream = stream
  return params
}

function firstOf<Value>(
  places: readonly JsonObject[],
  keys: readonly string[],
  read: (value: unknown) => Value | undefined,
): Value | undefined {
  for (const place of places) {
    for (const key of keys) {
      const value = read(place[key])
      if (value !== undefined) return value
    }
  }
  return undefined
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function toTexts(value: unknown): readonly string[] | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string' && item !== '')
  return texts.length > 0 ? texts : undefined
}
