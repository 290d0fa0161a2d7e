import { isJsonObject, type JsonObject, textOf } from '../../message/index.ts'
import { textAt, toAttributes } from '../attributes.ts'
import type { FileReport } from '../file-report.ts'
import { readId } from '../id.ts'
import type { Attributes, AttributeValue, Span, SpanEvent } from '../span.ts'
import { readKind, readStatusCode } from '../span-enums.ts'
import type { Container } from './container.ts'

/**
 * Zipkin's second format: a list of spans, or a list of such lists as its query API answers. Times are microseconds, and every
 * tag is text: numbers come as digits, lists of texts joined with commas, and events have lost their attributes.
 */
export const zipkin: Container = {
  name: 'Zipkin',
  looksLike: '[{ "traceId", "id", "timestamp", "tags": {…} }]',
  recognises: (document) => Array.isArray(document) && isZipkinSpan(document.flat()[0]),
  read(document, report) {
    return { spans: readSpans((document as readonly unknown[]).flat(), report), logs: [] }
  },
}

function isZipkinSpan(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    typeof value.traceId === 'string' &&
    typeof value.id === 'string' &&
    typeof value.timestamp === 'number'
  )
}

function* readSpans(spans: readonly unknown[], report: FileReport): Generator<Span> {
  for (const [index, span] of spans.entries()) {
    if (!isJsonObject(span) || readId(span.id) === '') report.refuse('INVALID_TRACE', 'Expected a span with an id.', `[${index}]`)
    else yield readSpan(span)
  }
}

function readSpan(span: JsonObject): Span {
  const attributes = readTags(span.tags)
  const startMs = fromMicroseconds(span.timestamp)
  const code = readStatusCode(textAt(attributes, 'otel.status_code'))
  return {
    id: readId(span.id),
    traceId: readId(span.traceId),
    parentId: readId(span.parentId),
    name: textOf(span.name),
    scope: textAt(attributes, 'otel.scope.name') || textAt(attributes, 'otel.library.name'),
    kind: readKind(span.kind),
    startMs,
    endMs: startMs + (fromMicroseconds(span.duration) || 0),
    status: {
      code: code === 'unset' && attributes.has('error') ? 'error' : code,
      message: textAt(attributes, 'error'),
    },
    attributes,
    events: Array.isArray(span.annotations) ? span.annotations.filter(isJsonObject).map(readAnnotation) : [],
    resource: isJsonObject(span.localEndpoint)
      ? toAttributes([['service.name', textOf(span.localEndpoint.serviceName)]])
      : toAttributes([]),
  }
}

function readTags(tags: unknown): Attributes {
  if (!isJsonObject(tags)) return toAttributes([])
  return toAttributes(Object.entries(tags).map(([key, value]) => [key, unjoined(value as AttributeValue)]))
}

/** A list of JSON texts, joined with commas, is a JSON list but for its brackets. */
function unjoined(value: AttributeValue): AttributeValue {
  if (typeof value !== 'string' || !value.startsWith('{') || !value.includes('},{')) return value
  try {
    const list: unknown = JSON.parse(`[${value}]`)
    return Array.isArray(list) ? list.map((item) => JSON.stringify(item)) : value
  } catch {
    return value
  }
}

function readAnnotation({ value, timestamp }: JsonObject): SpanEvent {
  return { name: textOf(value), timeMs: fromMicroseconds(timestamp), attributes: toAttributes([]), body: null }
}

function fromMicroseconds(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value / 1e3 : Number.NaN
}
