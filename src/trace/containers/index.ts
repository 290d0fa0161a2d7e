import { describeValue } from '../describe-value.ts'
import type { FileReport } from '../file-report.ts'
import type { Container, SpanBatch } from './container.ts'
import { flatSpans } from './flat-spans.ts'
import { otlpJson } from './otlp-json.ts'

/** Asked in this order; the first that recognises a document reads it. */
const containers: readonly Container[] = [flatSpans, otlpJson]

/** @returns `undefined` when no container knows the document, and it was refused */
export function readDocument(document: unknown, report: FileReport): SpanBatch | undefined {
  const container = containers.find((candidate) => candidate.recognises(document))
  if (container !== undefined) return container.read(document, report)
  const known = containers.map(({ name, looksLike }) => `${name} (${looksLike})`).join(' or ')
  report.refuse('UNREADABLE_TRACE', `Not a known kind of trace: found ${describeValue(document)}, expected ${known}.`)
  return undefined
}
