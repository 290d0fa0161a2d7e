import { invalidRequest } from './api-error.ts'
import { type JsonObject, kindOf, optionalBoolean, optionalCount, optionalNumber, requireObject } from './body-fields.ts'
import type { GenerationRequest } from './generation-request.ts'

/** How long the answer is to be: the limit from the first of the fields that is there. */
export function readLength(
  body: JsonObject,
  ...limitFields: readonly string[]
): Pick<GenerationRequest, 'maxTokens' | 'minTokens' | 'ignoreEos'> {
  const limits = limitFields.map((field) => optionalCount(body[field], field, 1))
  const maxTokens = limits.find((limit) => limit !== undefined)
  const minTokens = optionalCount(body.min_tokens, 'min_tokens', 0) ?? 0
  if (maxTokens !== undefined && minTokens > maxTokens) {
    throw invalidRequest('min_tokens', `'min_tokens' is ${minTokens}, more than the ${maxTokens} tokens allowed at most.`)
  }
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    minTokens,
    ignoreEos: optionalBoolean(body.ignore_eos, 'ignore_eos', false),
  }
}

/** Has no effect on the simulated model, but a value no server takes must not pass. */
export function checkSampling(body: JsonObject, mostTemperature = 2): void {
  optionalNumber(body.temperature, 'temperature', 0, mostTemperature)
  optionalNumber(body.top_p, 'top_p', 0, 1)
  optionalNumber(body.frequency_penalty, 'frequency_penalty', -2, 2)
  optionalNumber(body.presence_penalty, 'presence_penalty', -2, 2)
}

/** A text, or several, at which the answer is to stop. */
export function checkStop(value: unknown): void {
  const stop = value ?? []
  const stops = typeof stop === 'string' ? [stop] : stop
  if (!Array.isArray(stops) || stops.some((item) => typeof item !== 'string')) {
    throw invalidRequest('stop', `'stop' must be a string or an array of strings, but is ${kindOf(stop)}.`, 'invalid_type')
  }
}

/** Whether a stream of the older APIs ends with its usage. */
export function readStreamOptions(value: unknown, stream: boolean): boolean {
  if (value === undefined || value === null) return false
  if (!stream) throw invalidRequest('stream_options', "'stream_options' is only allowed when 'stream' is true.")
  return optionalBoolean(requireObject(value, 'stream_options').include_usage, 'stream_options.include_usage', false)
}

/** The JSON Schema of `response_format`; `undefined` for free text. */
export function readResponseFormat(value: unknown): unknown {
  if (value === undefined || value === null) return undefined
  const format = requireObject(value, 'response_format')
  switch (format.type) {
    case 'text':
      return undefined
    case 'json_object':
      return { type: 'object' }
    case 'json_schema':
      return requireObject(
        requireObject(format.json_schema, 'response_format.json_schema').schema ?? {},
        'response_format.json_schema.schema',
      )
    default:
      throw invalidRequest(
        'response_format.type',
        `'response_format.type' must be text, json_object or json_schema, but is ${kindOf(format.type)}.`,
      )
  }
}
