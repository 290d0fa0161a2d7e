import type { FileReport } from '../file-report.ts'
import { findJsonFault } from '../json-fault.ts'
import { decodeText } from './text.ts'

/** Why bytes that `JSON.parse` refused are no JSON, and where: for the person who wrote or copied the file. */
export function describeJsonFault(bytes: Uint8Array, report: FileReport): string {
  const text = decodeText(bytes, report) ?? ''
  if (text.trim() === '') return 'The file is empty, expected recorded spans.'
  if (isConsoleOutput(text)) {
    return 'This is what the console exporter of OpenTelemetry JS prints, which is not JSON and cuts nested values. Record with an OTLP exporter instead.'
  }
  const { offset, cutOff } = findJsonFault(text)
  if (cutOff) return `The JSON ends too early, at byte ${bytes.length}: the file looks cut off. Copy or export it again.`
  return `Not JSON: unexpected ${show(text.slice(offset, offset + 20))} at byte ${Buffer.byteLength(text.slice(0, offset))}.`
}

/** `util.inspect` writes keys without quotes. */
function isConsoleOutput(text: string): boolean {
  return /^\s*\{\s*(?:resource|traceId): /.test(text) && /^\s*traceId: '/m.test(text.slice(0, 10_000))
}

function show(found: string): string {
  return JSON.stringify(found.split(/[\r\n]/)[0] || found)
}
