import { isJsonObject, type JsonObject, textOf } from '../../message/index.ts'
import { textAt } from '../attributes.ts'
import { describeValue } from '../describe-value.ts'
import type { FileReport } from '../file-report.ts'
import { readByteId } from '../id.ts'
import type { Attributes, LogRecord, Span, SpanEvent } from '../span.ts'
import { readKind, readStatusCode } from '../span-enums.ts'
import { fromNanoseconds } from '../time.ts'
import { readAnyValue, readKeyValues } from './any-value.ts'
import type { Container } from './container.ts'

/**
 * OTLP/JSON: an export request of spans, of log records, or both; or what people cut out of one: the spans of one resource, of one
 * scope, or a list of them.
 */
export const otlpJson: Container = {
  name: 'OTLP/JSON',
  looksLike: '{ "resourceSpans": […] }',
  recognises: (document) => requestOf(document) !== undefined,
  read(document, report) {
    const { resourceSpans, resourceLogs } = requestOf(document) ?? {}
    return { spans: readSpans(resourceSpans, report), logs: readLogs(resourceLogs) }
  },
}

/** The request that a document is, or stands in. */
function requestOf(document: unknown): { resourceSpans?: unknown; resourceLogs?: unknown } | undefined {
  if (Array.isArray(document))
    return isOtlpSpan(document[0]) ? { resourceSpans: [{ scopeSpans: [{ spans: document }] }] } : undefined
  if (!isJsonObject(document)) return undefined
  const { resourceSpans, resourceLogs, scopeSpans, scopeLogs, spans } = document
  if (Array.isArray(resourceSpans) || Array.isArray(resourceLogs)) return { resourceSpans, resourceLogs }
  if (Array.isArray(scopeSpans)) return { resourceSpans: [document] }
  if (Array.isArray(scopeLogs)) return { resourceLogs: [document] }
  if (Array.isArray(spans) && isOtlpSpan(spans[0])) return { resourceSpans: [{ scopeSpans: [document] }] }
  return isOtlpSpan(document) ? { resourceSpans: [{ scopeSpans: [{ spans: [document] }] }] } : undefined
}

/** Others name their times otherwise. */
function isOtlpSpan(value: unknown): boolean {
  return isJsonObject(value) && 'spanId' in value && 'startTimeUnixNano' in value
}

function* readSpans(resourceSpans: unknown, report: FileReport): Generator<Span> {
  for (const [r, group] of objects(resourceSpans)) {
    const resource = readResource(group)
    // `instrumentationLibrarySpans` is what `scopeSpans` was called before OTLP 0.16.
    for (const [s, scoped] of objects(group.scopeSpans ?? group.instrumentationLibrarySpans)) {
      const scope = readScope(scoped)
      const list = Array.isArray(scoped.spans) ? scoped.spans : []
      for (const [index, span] of list.entries()) {
        const where = `resourceSpans[${r}].scopeSpans[${s}].spans[${index}]`
        if (!isJsonObject(span)) {
          report.refuse('INVALID_TRACE', `Found ${describeValue(span)}, expected an object.`, where)
          continue
        }
        const read = readSpan(span, scope, resource)
        if (read.id === '') report.refuse('INVALID_TRACE', 'The span has no spanId.', where)
        else yield read
      }
    }
  }
}

function readSpan(span: JsonObject, scope: string, resource: Attributes): Span {
  const status = isJsonObject(span.status) ? span.status : {}
  return {
    id: readByteId(span.spanId, 8),
    traceId: readByteId(span.traceId, 16),
    parentId: readByteId(span.parentSpanId, 8),
    name: textOf(span.name),
    scope,
    kind: readKind(span.kind),
    startMs: fromNanoseconds(span.startTimeUnixNano),
    endMs: fromNanoseconds(span.endTimeUnixNano),
    status: { code: readStatusCode(status.code), message: textOf(status.message) },
    attributes: readKeyValues(span.attributes),
    events: objects(span.events).map(([, event]) => readEvent(event)),
    resource,
  }
}

function readEvent(event: JsonObject): SpanEvent {
  return {
    name: textOf(event.name),
    timeMs: fromNanoseconds(event.timeUnixNano),
    attributes: readKeyValues(event.attributes),
    body: null,
  }
}

function* readLogs(resourceLogs: unknown): Generator<LogRecord> {
  for (const [, group] of objects(resourceLogs)) {
    for (const [, scoped] of objects(group.scopeLogs ?? group.instrumentationLibraryLogs)) {
      for (const [, record] of objects(scoped.logRecords)) yield readLogRecord(record)
    }
  }
}

function readLogRecord(record: JsonObject): LogRecord {
  const attributes = readKeyValues(record.attributes)
  const timeMs = fromNanoseconds(record.timeUnixNano)
  return {
    traceId: readByteId(record.traceId, 16),
    spanId: readByteId(record.spanId, 8),
    // Before it had a field of its own, an event's name was an attribute.
    name: textOf(record.eventName) || textAt(attributes, 'event.name'),
    timeMs: Number.isNaN(timeMs) ? fromNanoseconds(record.observedTimeUnixNano) : timeMs,
    attributes,
    body: readAnyValue(record.body),
  }
}

function readScope(scoped: JsonObject): string {
  const scope = scoped.scope ?? scoped.instrumentationLibrary
  return isJsonObject(scope) ? textOf(scope.name) : ''
}

function readResource({ resource }: JsonObject): Attributes {
  return readKeyValues(isJsonObject(resource) ? resource.attributes : undefined)
}

function objects(list: unknown): [number, JsonObject][] {
  return Array.isArray(list) ? [...list.entries()].filter((entry): entry is [number, JsonObject] => isJsonObject(entry[1])) : []
}
