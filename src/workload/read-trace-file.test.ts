import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readTraceFile } from './read-trace-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'trace-file-'))
afterAll(() => rmSync(directory, { recursive: true }))

test.each([
  ['small', undefined],
  ['large, in pieces that fit', 500],
  ['large, in pieces with a rest', 300],
])('reads a file: %s', (_, inOneGo) => {
  const path = join(directory, 'trace.json')
  const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, k) => k % 251))
  writeFileSync(path, bytes)
  expect(Buffer.from(readTraceFile(path, 'trace.json', inOneGo)).equals(bytes)).toBe(true)
})

test('a file that cannot be opened is named', () => {
  expect(() => readTraceFile(join(directory, 'gone.json'), 'traces/gone.json')).toThrow(
    expect.objectContaining({
      code: 'UNREADABLE_TRACE',
      message: expect.stringMatching(/^traces\/gone\.json: The file cannot be opened: ENOENT/),
    }),
  )
})
