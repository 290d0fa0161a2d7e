import { isJsonObject } from '../../message/index.ts'
import type { Container } from './container.ts'
import { otlpJson } from './otlp-json.ts'

/** What Grafana Tempo answers for a trace: OTLP under other names, with ids in base64 or hex. */
export const tempo: Container = {
  name: 'Tempo',
  looksLike: '{ "batches": […] }',
  recognises: (document) => inside(document) !== undefined,
  read: (document, report) => otlpJson.read({ resourceSpans: inside(document) }, report),
}

function inside(document: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(document)) return undefined
  const { batches, trace } = document
  if (Array.isArray(batches)) return batches
  if (!isJsonObject(trace)) return undefined
  const spans = trace.resourceSpans ?? trace.batches
  return Array.isArray(spans) ? spans : undefined
}
