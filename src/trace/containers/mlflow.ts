import { isJsonObject, type JsonObject } from '../../message/index.ts'
import { readByteId } from '../id.ts'
import type { Container } from './container.ts'
import { readFlatSpans } from './flat-spans.ts'

/** A trace as MLflow exports it: `{ info, data: { spans } }`. Ids are hex or base64, by its version. */
export const mlflow: Container = {
  name: 'MLflow',
  looksLike: '{ "info": {…}, "data": { "spans": […] } }',
  recognises: (document) => isJsonObject(document) && 'info' in document && spansIn(document) !== undefined,
  read(document, report) {
    const spans = spansIn(document as JsonObject) ?? []
    return {
      spans: readFlatSpans(
        spans.map((span) => (isJsonObject(span) ? withHexIds(span) : span)),
        report,
      ),
      logs: [],
    }
  },
}

function spansIn({ data }: JsonObject): readonly unknown[] | undefined {
  return isJsonObject(data) && Array.isArray(data.spans) ? data.spans : undefined
}

function withHexIds(span: JsonObject): JsonObject {
  const context = isJsonObject(span.context) ? span.context : span
  return {
    ...span,
    context: { span_id: readByteId(context.span_id, 8), trace_id: readByteId(context.trace_id, 16) },
    parent_id: readByteId(span.parent_span_id ?? span.parent_id, 8),
    parent_span_id: undefined,
  }
}
