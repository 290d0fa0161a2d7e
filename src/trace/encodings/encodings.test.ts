import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import * as stored from '../containers/stored-forms.fixture.ts'
import { bytesOf, EXPECTED, outline, readBytes } from '../containers/two-calls.fixture.ts'
import { FileReport } from '../file-report.ts'
import { sharedTextsOf } from '../shared-texts.ts'
import { parseJson } from './text.ts'

const lines = (documents: readonly unknown[], newline = '\n') =>
  documents.map((document) => JSON.stringify(document)).join(newline)
const pretty = (documents: readonly unknown[]) => documents.map((document) => JSON.stringify(document, null, 2)).join('\n')

test.each<[string, Uint8Array]>([
  ['a JSON text', bytesOf(stored.otlpRequest)],
  ['a JSON text over many lines', bytesOf(JSON.stringify(stored.otlpRequest, null, 2))],
  ['a trace spread over lines', bytesOf(lines(stored.otlpRequests))],
  ['lines with CRLF, blank lines and no newline at the end', bytesOf(`\r\n${lines(stored.otlpRequests, '\r\n\r\n')}`)],
  ['lines that begin with a byte order mark', bytesOf(`\ufeff${lines(stored.otlpRequests)}`)],
  ['a span per line', bytesOf(lines(stored.pythonSpans))],
  ['spans printed one after another', bytesOf(pretty(stored.pythonSpans))],
  ['spans without even a newline between them', bytesOf(lines(stored.pythonSpans, ''))],
  ['protobuf', stored.protobufRequest],
  ['protobuf, each message behind its length', stored.protobufFile],
  ['gzip of JSON', gzipSync(bytesOf(stored.otlpRequest))],
  ['gzip of lines', gzipSync(bytesOf(lines(stored.otlpRequests)))],
  ['gzip of protobuf', gzipSync(stored.protobufRequest)],
  ['gzip of gzip', gzipSync(gzipSync(bytesOf(stored.otlpRequest)))],
  ['UTF-16', Buffer.from(`\ufeff${JSON.stringify(stored.otlpRequest)}`, 'utf16le')],
  ['UTF-16 lines', Buffer.from(`\ufeff${lines(stored.otlpRequests)}`, 'utf16le')],
])('%s: told by its content, and read', (_, bytes) => {
  const { sessions, warnings } = readBytes(bytes)
  expect(outline(sessions)).toEqual(EXPECTED)
  expect(warnings).toEqual([])
})

test.each<[string, Uint8Array, RegExp]>([
  ['nothing', new Uint8Array(), /The file is empty/],
  ['spaces', bytesOf(' \n\n '), /The file is empty/],
  [
    'half a JSON text',
    bytesOf(JSON.stringify(stored.otlpRequest).slice(0, 400)),
    /ends too early, at byte 400: the file looks cut off/,
  ],
  ['lines, the last of them cut off', bytesOf(`${lines(stored.otlpRequests)}\n{"resourceSp`), /line 4: The JSON ends too early/],
  [
    'lines, one of them broken',
    bytesOf(`${lines(stored.otlpRequests)}\n{"a":nope}`),
    /line 4: Not JSON: unexpected "nope}" at byte 5/,
  ],
  [
    'spans one after another and noise',
    bytesOf(`${pretty(stored.pythonSpans)}\nBye.`),
    /after 3 documents: Not JSON: unexpected "Bye\."|after 3 documents/,
  ],
  ['half a protobuf file', stored.protobufFile.subarray(0, stored.protobufFile.length - 9), /protobuf is broken at byte/],
  ['half a gzip file', gzipSync(bytesOf(stored.otlpRequest)).subarray(0, 200), /gzip data cannot be unpacked: it ends too early/],
  ['gzip of nothing', gzipSync(new Uint8Array()), /The file is empty/],
  ['zstd', Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0), /compressed with zstd/],
  [
    'console output of OpenTelemetry JS',
    bytesOf("{\n  resource: {\n    attributes: {}\n  },\n  traceId: 'ab',\n  name: 'chat'\n}\n"),
    /console exporter of OpenTelemetry JS/,
  ],
  ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), /Not JSON/],
])('%s: one error that names the file and the way out', (_, bytes, message) => {
  expect(() => readBytes(bytes)).toThrow(
    expect.objectContaining({
      code: 'UNREADABLE_TRACE',
      message: expect.stringMatching(new RegExp(`^porter\\.trace: .*(?:${message.source})`, 's')),
    }),
  )
})

test('under skip, a broken line costs only itself', () => {
  const { sessions, warnings } = readBytes(bytesOf(`${lines(stored.otlpRequests)}\n{"a":`), 'skip')
  expect(outline(sessions)).toEqual(EXPECTED)
  expect(warnings).toMatchObject([{ code: 'unreadable-trace-skipped', message: /^line 4: / }].map(({ code }) => ({ code })))
})

test('log records in protobuf are told from spans', () => {
  expect(() => readBytes(stored.protobufLogs)).toThrow(expect.objectContaining({ code: 'NO_LLM_CALLS' }))
})

test('any cut of the protobuf, any flipped byte in it: an error of ours or a reading, never a crash', () => {
  for (let end = 1; end < stored.protobufRequest.length; end += 7) survives(stored.protobufRequest.slice(0, end))
  for (let at = 0; at < stored.protobufRequest.length; at += 3) {
    const flipped = stored.protobufRequest.slice()
    flipped[at] = (flipped[at] ?? 0) ^ 0xff
    survives(flipped)
  }
})

function survives(bytes: Uint8Array): void {
  try {
    readBytes(bytes, 'skip')
  } catch (error) {
    expect(error).toMatchObject({ name: 'TraceReplayError' })
  }
}

test('a file longer than a text can be is read when what it does not repeat fits into one', () => {
  const rows = Array.from({ length: 150_000 }, (_, id) => ({ id, name: 'a short text' }))
  const long = 'deep and blue '.repeat(200)
  const document = { rows, long: [long, long] }
  const bytes = bytesOf(document)
  const report = new FileReport('porter.trace', 'fail')
  const read = (longest?: number) => parseJson(bytes, report, longest)?.value
  // Most of it is short texts: where JSON.parse can, it is left to it.
  expect(sharedTextsOf(read())?.find(long)).toBeUndefined()
  expect(sharedTextsOf(read(bytes.length - 1))?.find(long)).toBeDefined()
  expect(read(bytes.length - 1)).toEqual(document)
})
