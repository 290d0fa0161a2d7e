import { isJsonObject } from '../../message/index.ts'
import { numberAt, textAt } from '../attributes.ts'
import type { ContentReader } from '../content-reader.ts'
import type { Span } from '../span.ts'
import type { Dialect } from './dialect.ts'
import { readGenAiParams, readGenAiUsage } from './gen-ai-request.ts'
import { isProviderRequest, readProviderRequest } from './provider-request.ts'
import { readProviderResponse } from './provider-response.ts'

const REQUEST = 'request_data'
const RESPONSE = 'response_data'

/** Scopes end in the name of the client: `logfire.openai`. */
const SCOPE = /^logfire\.(?:openai|anthropic|azure|google|gemini|mistral|litellm|groq)/

/**
 * Logfire's instrumentation of model clients: the body of the request, and what it kept of the response. A streamed request is
 * two spans: one that ends with the headers, and a log of no length at the end of the stream, which knows the rest.
 */
export const logfire: Dialect = {
  name: 'Logfire',
  mark: 'its scope is logfire.openai or that of another client, with the input in `request_data`',
  advice: { content: 'In Logfire, let no scrubbing rule redact `request_data` and `response_data`.' },
  classify(span) {
    const { scope, name, attributes } = span
    if (!SCOPE.test(scope) || !attributes.has(REQUEST)) return undefined
    if (/^(?:Embedding|Image|Transcription|Speech)/i.test(name)) return 'structure'
    return isStreamed(span) && !attributes.has(RESPONSE) ? 'structure' : 'call'
  },
  read({ attributes }, content) {
    const body = content.request(attributes.get(REQUEST), REQUEST)
    const request = isProviderRequest(body) ? readProviderRequest(body, content, REQUEST) : undefined
    const response = readResponse(content.data(attributes.get(RESPONSE), RESPONSE), content)
    const tookSeconds = numberAt(attributes, 'duration')
    return {
      richness: 'raw',
      model: textAt(attributes, 'gen_ai.request.model') || request?.model || response.model,
      responseId: textAt(attributes, 'gen_ai.response.id') || response.responseId,
      messages: request?.messages ?? [],
      output: response.output,
      tools: request?.tools ?? [],
      params: { ...readGenAiParams(attributes), ...request?.params },
      usage: { ...response.usage, ...readGenAiUsage(attributes) },
      ...(tookSeconds === undefined ? {} : { tookMs: tookSeconds * 1_000 }),
    }
  },
}

/** The request is JSON text, and only this much of it tells which of two spans it is. */
function isStreamed({ attributes }: Span): boolean {
  const request = attributes.get(REQUEST)
  if (isJsonObject(request)) return request.stream === true
  return typeof request === 'string' && /"stream":\s*true/.test(request)
}

/** `{ message, usage }`, or of a stream its text. */
function readResponse(data: unknown, content: ContentReader) {
  const text = isJsonObject(data) && data.message === undefined ? data.combined_chunk_content : undefined
  const response = readProviderResponse(typeof text === 'string' ? undefined : data, content, RESPONSE)
  return typeof text === 'string'
    ? { ...response, output: content.output([{ role: 'assistant', content: text }], RESPONSE) }
    : response
}
