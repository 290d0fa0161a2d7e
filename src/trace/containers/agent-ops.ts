import { isJsonObject, type JsonObject } from '../../message/index.ts'
import type { FileReport } from '../file-report.ts'
import type { Span } from '../span.ts'
import type { Container } from './container.ts'
import { readFlatSpans } from './flat-spans.ts'
import { flattenAttributes } from './flatten-attributes.ts'

/** A trace as AgentOps exports it: flat spans whose attributes it has nested, under `span_attributes`. */
export const agentOps: Container = {
  name: 'AgentOps',
  looksLike: '{ "spans": [{ "span_id", "span_attributes": {…} }] }',
  recognises: (document) =>
    isJsonObject(document) &&
    Array.isArray(document.spans) &&
    isJsonObject(document.spans[0]) &&
    'span_attributes' in document.spans[0],
  read: (document, report) => ({
    spans: readSpans((document as JsonObject & { spans: readonly unknown[] }).spans, report),
    logs: [],
  }),
}

function* readSpans(spans: readonly unknown[], report: FileReport): Generator<Span> {
  const renamed = spans.map((span) => (isJsonObject(span) ? withAttributes(span) : span))
  for (const span of readFlatSpans(renamed, report))
    yield { ...span, attributes: flattenAttributes(Object.fromEntries(span.attributes)) }
}

function withAttributes(span: JsonObject): JsonObject {
  return { ...span, name: span.name ?? span.span_name, attributes: span.span_attributes }
}
