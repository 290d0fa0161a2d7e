import type { FileReport } from '../file-report.ts'
import type { Encoding } from './encoding.ts'
import { gzip } from './gzip.ts'
import { json } from './json.ts'
import { jsonLines } from './json-lines.ts'
import { otlpProtobuf } from './otlp-protobuf.ts'
import { zstd } from './zstd.ts'

/**
 * Asked in this order; `json` takes whatever is left and says what is wrong with it. A function, because one that wraps
 * another asks this file in turn.
 */
const encodings = (): readonly Encoding[] => [gzip, zstd, otlpProtobuf, jsonLines, json]

/** The documents in a file's bytes, one by one. */
export function documentsOf(bytes: Uint8Array, report: FileReport): Iterable<unknown> {
  if (bytes.length === 0) {
    report.refuse('UNREADABLE_TRACE', 'The file is empty, expected recorded spans.')
    return []
  }
  return (
    encodings()
      .find((encoding) => encoding.recognises(bytes))
      ?.documents(bytes, report) ?? []
  )
}
