import type { TokenUsage } from '../../message/index.ts'
import { numberAt, textAt } from '../attributes.ts'
import { type ContentReader, UnreadableContent } from '../content-reader.ts'
import type { Attributes, Span } from '../span.ts'
import { defined } from './defined.ts'
import type { Dialect } from './dialect.ts'
import { isProviderRequest, readProviderRequest } from './provider-request.ts'
import { readProviderResponse } from './provider-response.ts'

/** Event names come with or without the prefix `claude_code.`. */
const REQUEST = /^(?:claude_code\.)?api_request_body$/
const RESPONSE = /^(?:claude_code\.)?api_response_body$/

const SETTING =
  'For Claude Code, set CLAUDE_CODE_ENABLE_TELEMETRY=1, CLAUDE_CODE_ENHANCED_TELEMETRY_BETA=1, OTEL_LOG_RAW_API_BODIES=1 and CLAUDE_CODE_OTEL_CONTENT_MAX_LENGTH=10000000, and export traces and logs.'

/**
 * Claude Code. Its spans tell times and tokens; the bodies of request and response are log records, that name the span around
 * the request. A response carries the request's id, a request only its model and who asked.
 */
export const claudeCode: Dialect = {
  name: 'Claude Code',
  mark: 'its name is claude_code.llm_request, with the input in log records `claude_code.api_request_body`',
  advice: { content: SETTING },
  classify({ name }) {
    if (name === 'claude_code.llm_request') return 'call'
    return name.startsWith('claude_code.') ? 'structure' : undefined
  },
  owns(span, log) {
    if (!REQUEST.test(log.name) && !RESPONSE.test(log.name)) return false
    const id = textAt(log.attributes, 'request_id')
    if (id !== '' && textAt(span.attributes, 'request_id') !== '') return id === textAt(span.attributes, 'request_id')
    return ['session.id', 'model', 'query_source'].every((key) => agree(span.attributes, log.attributes, key))
  },
  read(span, content) {
    const { attributes } = span
    const request = readRequest(span, content)
    const body = bodyOf(span, RESPONSE)
    const response = readProviderResponse(body && dataOf(body, content), content, 'api_response_body')
    const ttftMs = numberAt(attributes, 'ttft_ms')
    return {
      richness: 'raw',
      model: textAt(attributes, 'model') || textAt(attributes, 'gen_ai.request.model') || (request?.model ?? ''),
      responseId: textAt(attributes, 'request_id') || textAt(attributes, 'gen_ai.response.id'),
      messages: request?.messages ?? [],
      output: response.output,
      tools: request?.tools ?? [],
      params: request?.params ?? {},
      usage: { ...response.usage, ...readTokens(attributes) },
      ...(ttftMs === undefined ? {} : { ttftMs }),
    }
  },
}

function agree(a: Attributes, b: Attributes, key: string): boolean {
  const [first, second] = [textAt(a, key), textAt(b, key)]
  return first === '' || second === '' || first === second
}

/** Each attempt has a record; the last one was answered. */
function bodyOf({ events }: Span, name: RegExp): Attributes | undefined {
  return events.findLast((event) => name.test(event.name))?.attributes
}

function readRequest(span: Span, content: ContentReader) {
  const attributes = bodyOf(span, REQUEST)
  const body = attributes === undefined ? undefined : dataOf(attributes, content)
  return isProviderRequest(body) ? readProviderRequest(body, content, 'api_request_body') : undefined
}

function dataOf(attributes: Attributes, content: ContentReader): unknown {
  if (textAt(attributes, 'body_truncated') === 'true') {
    const length = numberAt(attributes, 'body_length')
    throw new UnreadableContent(
      'body',
      `The body was cut off${length === undefined ? '' : ` (it had ${length} characters)`}. ${SETTING}`,
    )
  }
  if (attributes.has('body_ref')) {
    content.note('content-in-other-file', `Bodies were written to files of their own instead of the log. ${SETTING}`)
  }
  return content.request(attributes.get('body'), 'body')
}

/** Counts from the API: what was read from the cache or written to it is no part of the input. */
function readTokens(attributes: Attributes): TokenUsage {
  const [input, read, written] = ['input_tokens', 'cache_read_tokens', 'cache_creation_tokens'].map((key) =>
    numberAt(attributes, key),
  )
  return defined({
    inputTokens: input === undefined ? undefined : input + (read ?? 0) + (written ?? 0),
    outputTokens: numberAt(attributes, 'output_tokens'),
    cachedInputTokens: read,
    cacheWriteTokens: written,
  })
}
