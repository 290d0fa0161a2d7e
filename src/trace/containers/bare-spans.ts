import { isJsonObject, type JsonObject } from '../../message/index.ts'
import type { Container } from './container.ts'
import { readFlatSpans } from './flat-spans.ts'

/**
 * Spans with nothing around them: one object, a list, or an object per line, as OpenTelemetry Python's `to_json` and console
 * exporter write them. They are grouped by conversation or trace.
 */
export const bareSpans: Container = {
  name: 'single spans',
  looksLike: '{ "context": { "trace_id", "span_id" }, "start_time", "attributes": {…} }',
  recognises: (document) => isSpan(Array.isArray(document) ? document[0] : document),
  read: (document, report) => ({ spans: readFlatSpans(Array.isArray(document) ? document : [document], report), logs: [] }),
}

function isSpan(value: unknown): boolean {
  if (!isJsonObject(value) || !('attributes' in value)) return false
  return hasId(value) || (isJsonObject(value.context) && hasId(value.context))
}

function hasId(value: JsonObject): boolean {
  return 'span_id' in value || 'spanId' in value
}
