import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ByteWriter, parquetWrite, type SchemaElement } from 'hyparquet-writer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonObject } from '../../../message/index.ts'
import { sessionRows } from '../session-row.fixture.ts'
import { sessionTable } from '../session-table.fixture.ts'
import { withFirstVersionPages } from './first-version-pages.fixture.ts'
import { parquetRows } from './parquet-rows.ts'

let directory = ''
let files = 0

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'parquet-rows-'))
})
afterAll(() => {
  rmSync(directory, { recursive: true, force: true })
})

function onDisk(bytes: Uint8Array): string {
  const path = join(directory, `${files++}.parquet`)
  writeFileSync(path, bytes)
  return path
}

function read(bytes: Uint8Array): JsonObject[] {
  return [...parquetRows(onDisk(bytes))]
}

/** What a row looks like once columns without a value are left out. */
function withoutNulls<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_, part) => (part === null ? undefined : part)))
}

function spansOf(row: JsonObject = {}): readonly { readonly attributes: JsonObject }[] {
  return row.spans as readonly { readonly attributes: JsonObject }[]
}

const rows = sessionRows(7)

test.each(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD'] as const)('reads what was written, %s', (codec) => {
  expect(read(sessionTable(rows, { codec }))).toEqual(withoutNulls(rows))
})

test('rows come in their order from several row groups, the last one shorter', () => {
  expect(read(sessionTable(rows, { rowsPerGroup: 3 }))).toEqual(withoutNulls(rows))
})

test('pages are far smaller than a row', () => {
  expect(read(sessionTable(rows, { pageBytes: 64 }))).toEqual(withoutNulls(rows))
})

test.each([64, 1_000_000])('reads pages of format version 1, of %d bytes', (pageBytes) => {
  const table = withFirstVersionPages(sessionTable(rows, { codec: 'UNCOMPRESSED', pageBytes }))
  expect(read(table)).toEqual(withoutNulls(rows))
})

test('a column that is null on every span is not there', () => {
  const spans = spansOf(read(sessionTable(rows))[0])
  expect(spans.length).toBeGreaterThan(0)
  for (const { attributes } of spans) {
    expect(Object.values(attributes)).not.toContain(null)
    expect(attributes).not.toHaveProperty('gen_ai.agent.name')
  }
})

test('a table without rows has none', () => {
  expect(read(sessionTable([]))).toEqual([])
})

test('maps become objects, whatever their keys are called', () => {
  const [plain] = sessionRows(1)
  const attributes = JSON.parse('{ "__proto__": "x", "constructor": "y", "gen_ai.tool.name": "z" }')
  const table = sessionTable([{ ...plain, spans: [{ ...spansOf(plain)[0], attributes }] }], { attributes: 'map' })
  const [span] = spansOf(read(table)[0])
  expect(Object.entries(span?.attributes ?? {})).toEqual(Object.entries(attributes))
  expect(Object.getPrototypeOf(span?.attributes)).toBe(Object.prototype)
})

test('lists of pairs stay lists', () => {
  const [, span] = spansOf(read(sessionTable(sessionRows(1), { attributes: 'pairs' }))[0])
  expect(span?.attributes).toContainEqual({ key: 'gen_ai.operation.name', value: 'chat' })
})

test('instants are milliseconds with fractions', () => {
  const row = readColumn({ type: 'INT64', converted_type: 'TIMESTAMP_MICROS' }, [1_767_603_600_123_456n])
  expect(row).toBe(1_767_603_600_123.456)
})

test.each<[string, Omit<SchemaElement, 'name'>, unknown, unknown]>([
  ['a whole number', { type: 'INT64' }, 12n, 12],
  ['one beyond 2^53, as digits', { type: 'INT64' }, 9_007_199_254_740_993n, '9007199254740993'],
  ['milliseconds', { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }, 1_767_603_600_123n, 1_767_603_600_123],
  ['nanoseconds', { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' } }, 1_500_000n, 1.5],
  ['a day', { type: 'INT32', converted_type: 'DATE' }, 20_458, '2026-01-05'],
  ['bytes, as hex', { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 4 }, Uint8Array.of(0, 10, 255, 1), '000aff01'],
  ['a truth', { type: 'BOOLEAN' }, true, true],
  ['a number', { type: 'DOUBLE' }, 0.25, 0.25],
  ['no number', { type: 'DOUBLE' }, Number.NaN, undefined],
  ['text', { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, 'Zürich 東京 🚲', 'Zürich 東京 🚲'],
  ['JSON, as the text it is', { type: 'BYTE_ARRAY', converted_type: 'JSON' }, { a: [1] }, '{"a":[1]}'],
])('%s', (_, element, stored, expected) => {
  expect(readColumn(element, [stored])).toEqual(expected)
})

function readColumn(element: Omit<SchemaElement, 'name'>, data: unknown[]): unknown {
  const writer = new ByteWriter()
  const schema: SchemaElement[] = [
    { name: 'root', num_children: 1 },
    { name: 'x', repetition_type: 'OPTIONAL', ...element },
  ]
  parquetWrite({ writer, schema, columnData: [{ name: 'x', data: [...data] }] })
  return read(writer.getBytes())[0]?.x
}

test('lists in lists, empty and null', () => {
  const writer = new ByteWriter()
  const list = (name: string, ...element: SchemaElement[]): SchemaElement[] => [
    { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...element,
  ]
  const schema: SchemaElement[] = [
    { name: 'root', num_children: 1 },
    ...list('x', ...list('element', { name: 'element', type: 'INT32', repetition_type: 'OPTIONAL' })),
  ]
  const data = [[[1, null], [], null, [2]], [], null, [[3]]]
  parquetWrite({ writer, schema, columnData: [{ name: 'x', data }] })
  expect(read(writer.getBytes()).map((row) => row.x)).toEqual([[[1, null], [], null, [2]], [], undefined, [[3]]])
})

test.each([
  ['nothing', '', 'has only 0 bytes'],
  ['something else', '{"spans":[]} and some more text', 'does not end as a parquet file does'],
  ['an encrypted file', `PARE${' '.repeat(20)}PARE`, 'encrypted'],
  ['a footer that claims too much', `PAR1${' '.repeat(20)}\xff\xff\xff\x7fPAR1`, 'its footer claims'],
])('%s is refused', (_, content, reason) => {
  expect(() => read(Buffer.from(content, 'latin1'))).toThrow(reason)
})

test('a file that is cut off is refused', () => {
  const table = sessionTable(rows)
  expect(() => read(table.subarray(0, table.length >> 1))).toThrow('does not end as a parquet file does')
})

test('damage anywhere is an error or other values, never a crash or a hang', { timeout: 60_000 }, () => {
  const table = sessionTable(sessionRows(2), { codec: 'UNCOMPRESSED' })
  let [failed, survived] = [0, 0]
  for (let step = 0; step < 240; step++) {
    const damaged = Uint8Array.from(table)
    // Spread over the file, the footer more densely: it steers everything else.
    const at = step < 160 ? table.length - 9 - step * 17 : Math.floor((table.length * (step - 160)) / 80)
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (step % 8))
    try {
      const found = read(damaged)
      expect(found.length).toBeLessThan(1_000_000)
      survived++
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
      failed++
    }
  }
  expect(failed).toBeGreaterThan(20)
  expect(survived).toBeGreaterThan(20)
})
