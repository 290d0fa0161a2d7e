import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

const LINE_FEED = 0x0a

export interface Line {
  /** Counted from 1, empty lines included. */
  readonly number: number
  readonly bytes: Uint8Array
}

/** The lines of a file that hold something, a few in memory at a time. */
export async function* fileLines(path: string, { gzip }: { readonly gzip: boolean }): AsyncGenerator<Line> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  const stream = gzip ? file.pipe(createGunzip()) : file
  // A pipe hands on data, not errors.
  if (gzip) file.on('error', (error) => stream.destroy(error))
  let number = 1
  let begun: Buffer[] = []
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        const bytes = Buffer.concat([...begun, chunk.subarray(start, end)])
        begun = []
        start = end + 1
        if (!isBlank(bytes)) yield { number, bytes }
        number++
      }
      if (start < chunk.length) begun.push(chunk.subarray(start))
    }
    const bytes = Buffer.concat(begun)
    if (!isBlank(bytes)) yield { number, bytes }
  } finally {
    file.destroy()
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === LINE_FEED)
}

/** Whether a line is a JSON text by itself, and not the first of one that is spread over lines. */
export function isJsonLine({ bytes }: Line): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes))
    return true
  } catch {
    return false
  }
}
