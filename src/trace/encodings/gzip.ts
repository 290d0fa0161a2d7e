import { gunzipSync } from 'node:zlib'
import type { Encoding } from './encoding.ts'
import { documentsOf } from './index.ts'

/** A small file can unpack to any size; beyond this it is refused instead of filling the memory. */
const MOST_BYTES_UNPACKED = 2 ** 31

/** Any other encoding, compressed. */
export const gzip: Encoding = {
  name: 'gzip',
  recognises: ([first, second]) => first === 0x1f && second === 0x8b,
  *documents(bytes, report) {
    let unpacked: Uint8Array
    try {
      unpacked = gunzipSync(bytes, { maxOutputLength: MOST_BYTES_UNPACKED })
    } catch (error) {
      report.refuse('UNREADABLE_TRACE', `The gzip data cannot be unpacked: ${reasonOf(error)}.`)
      return
    }
    yield* documentsOf(unpacked, report)
  },
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'Z_BUF_ERROR') return 'it ends too early, the file looks cut off'
  if (code === 'ERR_BUFFER_TOO_LARGE') return `it holds more than ${MOST_BYTES_UNPACKED / 2 ** 30} GiB`
  return error instanceof Error ? error.message : String(error)
}
