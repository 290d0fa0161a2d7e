import { isJsonObject, type JsonObject } from '../../message/index.ts'
import type { FileReport } from '../file-report.ts'
import type { Span } from '../span.ts'
import type { Container } from './container.ts'
import { readFlatSpans } from './flat-spans.ts'
import { flattenAttributes } from './flatten-attributes.ts'

/**
 * Spans as Arize Phoenix gives them out: over REST or as JSON lines (`context`, `span_kind`, attributes flat or nested), or as
 * the records of a data frame with columns like `attributes.llm.model_name`. Attributes get their dotted names back.
 */
export const phoenix: Container = {
  name: 'Phoenix',
  looksLike: '{ "context": {…}, "span_kind", "attributes": {…} }',
  recognises: (document) => isPhoenixSpan(spansIn(document)[0]),
  read: (document, report) => ({ spans: readSpans(spansIn(document), report), logs: [] }),
}

function spansIn(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document
  if (!isJsonObject(document)) return []
  return Array.isArray(document.data) ? document.data : [document]
}

function isPhoenixSpan(span: unknown): boolean {
  return isJsonObject(span) && typeof span.span_kind === 'string' && ('context.span_id' in span || isJsonObject(span.context))
}

function* readSpans(spans: readonly unknown[], report: FileReport): Generator<Span> {
  for (const span of readFlatSpans(
    spans.map((span) => (isJsonObject(span) ? unframed(span) : span)),
    report,
  )) {
    const attributes = flattenAttributes(Object.fromEntries(span.attributes))
    yield { ...span, attributes }
  }
}

/** A data frame's row, with its dotted columns back in place. The kind is a column of its own there. */
function unframed(span: JsonObject): JsonObject {
  const attributes: Record<string, unknown> = { ...(isJsonObject(span.attributes) ? span.attributes : {}) }
  for (const [column, value] of Object.entries(span)) {
    if (column.startsWith('attributes.')) attributes[column.slice('attributes.'.length)] = value
  }
  attributes['openinference.span.kind'] ??= span.span_kind
  const context = isJsonObject(span.context)
    ? span.context
    : { span_id: span['context.span_id'], trace_id: span['context.trace_id'] }
  return { ...span, context, attributes }
}
