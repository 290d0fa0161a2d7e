import type { FileReport } from '../file-report.ts'
import { findJsonFault } from '../json-fault.ts'
import type { Encoding } from './encoding.ts'
import { decodeJsonText, decodeText } from './text.ts'

/** One JSON text. */
export const json: Encoding = {
  name: 'JSON',
  recognises: () => true,
  *documents(bytes, report) {
    const text = decodeJsonText(bytes, report)
    if (text === undefined) return
    let document: unknown
    try {
      document = JSON.parse(text)
    } catch {
      refuse(bytes, report)
      return
    }
    yield document
  },
}

function refuse(bytes: Uint8Array, report: FileReport): void {
  const text = decodeText(bytes, report) ?? ''
  const { offset, cutOff } = findJsonFault(text)
  const message =
    text.trim() === ''
      ? 'The file is empty, expected recorded spans.'
      : cutOff
        ? `The JSON ends too early, at byte ${bytes.length}: the file looks cut off. Copy or export it again.`
        : `Not JSON: unexpected ${show(text.slice(offset, offset + 20))} at byte ${Buffer.byteLength(text.slice(0, offset))}.`
  report.refuse('UNREADABLE_TRACE', message)
}

function show(found: string): string {
  return JSON.stringify(found.split(/[\r\n]/)[0] || found)
}
