import { invalidRequest } from './api-error.ts'
import { type JsonObject, kindOf, optionalBoolean, optionalCount, requireName } from './body-fields.ts'
import type { GenerationRequest } from './generation-request.ts'
import { checkSampling, checkStop, readLength, readResponseFormat, readStreamOptions } from './sampling-fields.ts'
import { TokenSequence } from './tokens.ts'

/**
 * Reads the body of `POST /v1/completions`, with `response_format` as vLLM has it.
 *
 * @throws {ApiError} 400 that names the place
 */
export function readCompletionsRequest(body: JsonObject, blockTokens: number): GenerationRequest {
  const model = requireName(body.model, 'model')
  const text = readPrompt(body.prompt)
  for (const field of ['n', 'best_of']) {
    const count = optionalCount(body[field], field, 1) ?? 1
    if (count > 1)
      throw invalidRequest(field, `'${field}' is ${count}, but the simulator writes one choice.`, 'unsupported_value')
  }
  const textSchema = readResponseFormat(body.response_format)
  checkSampling(body)
  checkStop(body.stop)
  const stream = optionalBoolean(body.stream, 'stream', false)
  const prompt = new TokenSequence(blockTokens)
  prompt.text(text)
  return {
    model,
    prompt,
    includesText: (sought) => text.includes(sought),
    tools: [],
    toolChoice: 'none',
    parallelToolCalls: false,
    ...(textSchema === undefined ? {} : { textSchema }),
    ...readLength(body, 'max_tokens'),
    seed: optionalCount(body.seed, 'seed', Number.MIN_SAFE_INTEGER) ?? 0,
    stream,
    streamUsage: readStreamOptions(body.stream_options, stream),
  }
}

/** A text, or a list that holds one. */
function readPrompt(value: unknown): string {
  const prompt: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (typeof prompt === 'string' && prompt !== '') return prompt
  throw invalidRequest('prompt', `'prompt' must be a text that is not empty, but is ${kindOf(value)}.`, 'invalid_type')
}
