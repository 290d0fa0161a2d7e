import { isJsonObject } from '../../message/index.ts'
import { describeValue } from '../describe-value.ts'
import type { FileReport } from '../file-report.ts'
import { agentOps } from './agent-ops.ts'
import { bareSpans } from './bare-spans.ts'
import type { Container, SpanBatch } from './container.ts'
import { flatSpans } from './flat-spans.ts'
import { jaeger } from './jaeger.ts'
import { langfuseExport } from './langfuse-export.ts'
import { mlflow } from './mlflow.ts'
import { otlpJson } from './otlp-json.ts'
import { phoenix } from './phoenix.ts'
import { tempo } from './tempo.ts'
import { zipkin } from './zipkin.ts'

/** Asked in this order; the first that recognises a document reads it. The looser a description, the later it stands. */
const containers: readonly Container[] = [
  otlpJson,
  tempo,
  mlflow,
  jaeger,
  agentOps,
  flatSpans,
  zipkin,
  langfuseExport,
  phoenix,
  bareSpans,
]

/**
 * The spans of a document, or of the documents in a list.
 *
 * @returns nothing when no container knows the document, and it was refused
 */
export function* readDocument(document: unknown, report: FileReport): Generator<SpanBatch> {
  const container = containerOf(document)
  if (container !== undefined) yield container.read(document, report)
  else if (Array.isArray(document) && containerOf(document[0]) !== undefined) {
    for (const [index, entry] of document.entries()) {
      const known = containerOf(entry)
      if (known === undefined) report.refuse('UNREADABLE_TRACE', describeUnknown(entry), `[${index}]`)
      else yield known.read(entry, report)
    }
  } else report.refuse('UNREADABLE_TRACE', describeUnknown(document))
}

function containerOf(document: unknown): Container | undefined {
  return containers.find((candidate) => candidate.recognises(document))
}

function describeUnknown(document: unknown): string {
  if (isAttributes(document)) {
    return 'These are the attributes of a span without the span: its id and times are missing. Export whole spans.'
  }
  const known = containers.map(({ name, looksLike }) => `${name} ${looksLike}`).join(', ')
  return `Not a known kind of trace: found ${describeValue(document)}, expected one of: ${known}.`
}

/** Marks that recorders put on a span, at the top. */
function isAttributes(document: unknown): boolean {
  return (
    isJsonObject(document) && ['openinference.span.kind', 'gen_ai.operation.name', 'gen_ai.system'].some((key) => key in document)
  )
}
