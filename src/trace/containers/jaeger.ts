import { isJsonObject, type JsonObject, textOf } from '../../message/index.ts'
import { NO_ATTRIBUTES, textAt, toAttributes } from '../attributes.ts'
import { describeValue } from '../describe-value.ts'
import type { FileReport } from '../file-report.ts'
import { readId } from '../id.ts'
import type { Attributes, AttributeValue, Span, SpanEvent } from '../span.ts'
import { readKind, readStatusCode } from '../span-enums.ts'
import type { Container } from './container.ts'

/** What Jaeger's query API and its UI export: `{ data: [trace] }`, or one trace by itself. Times are microseconds. */
export const jaeger: Container = {
  name: 'Jaeger',
  looksLike: '{ "data": [{ "traceID", "spans": […], "processes": {…} }] }',
  recognises: (document) => tracesIn(document).some(isTrace),
  read(document, report) {
    return { spans: readTraces(tracesIn(document), report), logs: [] }
  },
}

function tracesIn(document: unknown): readonly unknown[] {
  if (!isJsonObject(document)) return []
  return Array.isArray(document.data) ? document.data : [document]
}

function isTrace(trace: unknown): trace is JsonObject & { spans: readonly unknown[] } {
  return isJsonObject(trace) && Array.isArray(trace.spans) && isJsonObject(trace.processes)
}

function* readTraces(traces: readonly unknown[], report: FileReport): Generator<Span> {
  for (const [t, trace] of traces.entries()) {
    if (!isTrace(trace)) continue
    for (const [s, span] of trace.spans.entries()) {
      const where = `data[${t}].spans[${s}]`
      if (!isJsonObject(span)) {
        report.refuse('INVALID_TRACE', `Found ${describeValue(span)}, expected an object.`, where)
        continue
      }
      const read = readSpan(span, resourceOf(span, trace.processes))
      if (read.id === '') report.refuse('INVALID_TRACE', 'The span has no spanID.', where)
      else yield read
    }
  }
}

function readSpan(span: JsonObject, resource: Attributes): Span {
  const attributes = readTags(span.tags)
  const startMs = fromMicroseconds(span.startTime)
  const code = readStatusCode(textAt(attributes, 'otel.status_code'))
  return {
    id: jaegerId(span.spanID, 16),
    traceId: jaegerId(span.traceID, 32),
    parentId: parentOf(span),
    name: textOf(span.operationName),
    scope: textAt(attributes, 'otel.scope.name') || textAt(attributes, 'otel.library.name'),
    kind: readKind(attributes.get('span.kind')),
    startMs,
    endMs: startMs + fromMicroseconds(span.duration, 0),
    status: {
      code: code === 'unset' && attributes.get('error') === true ? 'error' : code,
      message: textAt(attributes, 'otel.status_description'),
    },
    attributes,
    events: objects(span.logs).map(readLog),
    resource,
  }
}

/** The parent of the same trace; a link to another trace is none. */
function parentOf(span: JsonObject): string {
  const references = objects(span.references)
  const parent = references.find(({ refType, traceID }) => refType === 'CHILD_OF' && textOf(traceID) === textOf(span.traceID))
  return jaegerId(parent?.spanID ?? span.parentSpanID, 16)
}

/** Leading zeros may have been dropped. */
function jaegerId(value: unknown, hexDigits: number): string {
  const id = textOf(value)
  return readId(/^[0-9a-f]{1,32}$/i.test(id) ? id.padStart(hexDigits, '0') : id)
}

function readLog(log: JsonObject): SpanEvent {
  const attributes = readTags(log.fields)
  const name = textAt(attributes, 'event') || textAt(attributes, 'message')
  return { name, timeMs: fromMicroseconds(log.timestamp), attributes, body: null }
}

function readTags(tags: unknown): Attributes {
  return toAttributes(objects(tags).map(({ key, value }) => [textOf(key), value as AttributeValue]))
}

function resourceOf({ processID, process }: JsonObject, processes: unknown): Attributes {
  const id = textOf(processID)
  const own = isJsonObject(processes) && Object.hasOwn(processes, id) ? processes[id] : process
  if (!isJsonObject(own)) return NO_ATTRIBUTES
  return toAttributes([['service.name', textOf(own.serviceName)], ...readTags(own.tags)])
}

function fromMicroseconds(value: unknown, missing = Number.NaN): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && number >= 0 ? number / 1e3 : missing
}

function objects(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}
