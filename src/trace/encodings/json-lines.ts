import type { Encoding } from './encoding.ts'
import { describeJsonFault } from './json-fault-text.ts'
import { parseJson } from './text.ts'

const NEWLINE = 0x0a

/** How far into a file the end of its first line is looked for. */
const LONGEST_FIRST_LINE = 2 ** 28

/**
 * A JSON text per line: what the collector's file exporter and data sets write. Lines are decoded one by one, so that the
 * file may be longer than a string can be.
 */
export const jsonLines: Encoding = {
  name: 'JSON lines',
  recognises(bytes) {
    const end = bytes.subarray(0, LONGEST_FIRST_LINE).indexOf(NEWLINE)
    if (end < 0) return false
    // No JSON text goes on like this: a bracket closed at the end of a line, and another opened at the start of the next.
    return isClosing(lastVisible(bytes, end)) && isOpening(firstVisible(bytes, end + 1))
  },
  *documents(bytes, report) {
    let number = 0
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(NEWLINE, start)
      const end = newline < 0 ? bytes.length : newline
      number++
      const line = bytes.subarray(start, end)
      start = end + 1
      if (firstVisible(line, 0) === undefined) continue
      let parsed: ReturnType<typeof parseJson>
      try {
        parsed = parseJson(line, report)
      } catch {
        report.refuse('UNREADABLE_TRACE', describeJsonFault(line, report), `line ${number}`)
        continue
      }
      if (parsed !== undefined) yield parsed.value
    }
  },
}

/** In UTF-16 every other byte is zero; that is no space, and such a file is not for this encoding. */
function isVisible(byte: number): boolean {
  return byte > 0x20 || byte === 0
}

function firstVisible(bytes: Uint8Array, from: number): number | undefined {
  for (let i = from; i < bytes.length; i++) if (isVisible(bytes[i] ?? 0)) return bytes[i]
  return undefined
}

function lastVisible(bytes: Uint8Array, before: number): number | undefined {
  for (let i = before - 1; i >= 0; i--) if (isVisible(bytes[i] ?? 0)) return bytes[i]
  return undefined
}

function isOpening(byte: number | undefined): boolean {
  return byte === 0x7b || byte === 0x5b
}

function isClosing(byte: number | undefined): boolean {
  return byte === 0x7d || byte === 0x5d
}
