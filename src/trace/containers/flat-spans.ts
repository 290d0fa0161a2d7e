import { isJsonObject, type JsonObject, textOf } from '../../message/index.ts'
import { NO_ATTRIBUTES, toAttributes } from '../attributes.ts'
import { describeValue } from '../describe-value.ts'
import type { FileReport } from '../file-report.ts'
import { readId } from '../id.ts'
import type { Attributes, AttributeValue, Span, SpanEvent } from '../span.ts'
import { readKind, readStatusCode } from '../span-enums.ts'
import { fromAnyTime } from '../time.ts'
import type { Container } from './container.ts'

/**
 * A document with a list of spans, each with its attributes as a plain object: what exporters of data sets write, one document
 * per recorded session. Rows of fixed-schema tables look the same, with every attribute on every span.
 */
export const flatSpans: Container = {
  name: 'flat spans',
  looksLike: '{ "spans": [{ "span_id", "start_time", "attributes": {…} }] }',
  recognises: (document) => isJsonObject(document) && Array.isArray(document.spans),
  read(document, report) {
    const { spans, ...about } = document as JsonObject & { spans: readonly unknown[] }
    const id = readId(about.session_id ?? about.sessionId ?? about.trace_id ?? about.traceId)
    return { session: { id, attributes: readFlatAttributes(about) }, spans: readFlatSpans(spans, report), logs: [] }
  },
}

export function* readFlatSpans(spans: readonly unknown[], report: FileReport): Generator<Span> {
  for (const [index, span] of spans.entries()) {
    const where = `spans[${index}]`
    if (!isJsonObject(span)) {
      report.refuse('INVALID_TRACE', `Found ${describeValue(span)}, expected an object.`, where)
      continue
    }
    const read = readFlatSpan(span)
    if (read.id === '') report.refuse('INVALID_TRACE', 'The span has no span_id.', where)
    else yield read
  }
}

/** One span with its attributes as a plain object. `id` is empty when it has none. */
export function readFlatSpan(span: JsonObject): Span {
  const context = isJsonObject(span.context) ? span.context : span
  const scope = span.scope ?? span.instrumentation_scope ?? span.instrumentationScope
  const resource = span.resource_attributes ?? (isJsonObject(span.resource) ? span.resource.attributes : undefined)
  return {
    id: readId(context.span_id ?? context.spanId),
    traceId: readId(context.trace_id ?? context.traceId),
    parentId: readId(span.parent_span_id ?? span.parentSpanId ?? span.parent_id),
    name: textOf(span.name),
    scope: isJsonObject(scope) ? textOf(scope.name) : textOf(scope ?? span.scope_name),
    kind: readKind(span.kind),
    startMs: fromAnyTime(span.start_time ?? span.startTime ?? span.start_time_unix_nano),
    endMs: fromAnyTime(span.end_time ?? span.endTime ?? span.end_time_unix_nano),
    status: readStatus(span),
    attributes: readFlatAttributes(span.attributes),
    events: Array.isArray(span.events) ? span.events.filter(isJsonObject).map(readEvent) : [],
    resource: readFlatAttributes(resource),
  }
}

function readStatus({ status, status_code: code, status_message: message }: JsonObject): Span['status'] {
  if (!isJsonObject(status)) return { code: readStatusCode(status ?? code), message: textOf(message) }
  return {
    code: readStatusCode(status.code ?? status.status_code),
    message: textOf(status.message) || textOf(status.description),
  }
}

function readEvent(event: JsonObject): SpanEvent {
  return {
    name: textOf(event.name),
    timeMs: fromAnyTime(event.timestamp ?? event.time),
    attributes: readFlatAttributes(event.attributes),
    body: null,
  }
}

/** A plain object; a list of pairs, as tables store maps; or either of them as JSON text. */
export function readFlatAttributes(value: unknown): Attributes {
  if (typeof value === 'string') return readFlatAttributes(parsed(value))
  // Whatever came out of JSON is an attribute value.
  if (isJsonObject(value)) return toAttributes(Object.entries(value) as [string, AttributeValue][])
  if (!Array.isArray(value)) return NO_ATTRIBUTES
  return toAttributes(value.filter(isJsonObject).map(({ key, value }) => [textOf(key), value as AttributeValue]))
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? undefined : value
  } catch {
    return undefined
  }
}
