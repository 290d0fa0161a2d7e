import { documentsOf } from './encodings/index.ts'
import { FileReport } from './file-report.ts'

/**
 * The body of an OTLP export request, protobuf or JSON, gzip or not, as OTLP/JSON.
 *
 * @param name names the request in errors
 * @throws {TraceReplayError} `UNREADABLE_TRACE`
 */
export function readOtlpRequest(bytes: Uint8Array, name: string): readonly unknown[] {
  return [...documentsOf(bytes, new FileReport(name, 'fail'))]
}
