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

/** @returns `undefined` when no container knows the document, and it was refused */
export function readDocument(document: unknown, report: FileReport): SpanBatch | undefined {
  const container = containers.find((candidate) => candidate.recognises(document))
  if (container !== undefined) return container.read(document, report)
  const known = containers.map(({ name, looksLike }) => `${name} ${looksLike}`).join(', ')
  report.refuse('UNREADABLE_TRACE', `Not a known kind of trace: found ${describeValue(document)}, expected one of: ${known}.`)
  return undefined
}
