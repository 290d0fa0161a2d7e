import { brotliCompressSync, gzipSync } from 'node:zlib'
import { ByteWriter, fileWriter, parquetWriteRows, type SchemaElement, type Writer } from 'hyparquet-writer'
import type { JsonObject } from '../../message/index.ts'
import { zstdFrame } from './parquet/zstd-frame.fixture.ts'

/** What every span of the table has a column for; a span uses the few that are its own. */
export const ATTRIBUTE_COLUMNS = [
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'gen_ai.request.max_tokens',
  'gen_ai.request.temperature',
  'gen_ai.response.model',
  'gen_ai.response.finish_reasons',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.cache_read.input_tokens',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.tool.definitions',
  'gen_ai.tool.name',
  'gen_ai.tool.parameters',
  'gen_ai.tool.result',
  'gen_ai.agent.name',
  'gen_ai.output.text',
  'gen_ai.completion',
] as const

const INTEGERS = new Set<string>([
  'gen_ai.request.max_tokens',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.cache_read.input_tokens',
])

const text = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'OPTIONAL',
})
const integer = (name: string): SchemaElement => ({ name, type: 'INT64', repetition_type: 'OPTIONAL' })
const number = (name: string): SchemaElement => ({ name, type: 'DOUBLE', repetition_type: 'OPTIONAL' })
const time = (name: string): SchemaElement => ({
  name,
  type: 'INT64',
  converted_type: 'TIMESTAMP_MICROS',
  repetition_type: 'OPTIONAL',
})

function group(name: string, ...children: readonly SchemaElement[][]): SchemaElement[] {
  return [{ name, repetition_type: 'OPTIONAL', num_children: children.length }, ...children.flat()]
}

function list(name: string, element: readonly SchemaElement[]): SchemaElement[] {
  return [
    { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...element,
  ]
}

function map(name: string, value: SchemaElement): SchemaElement[] {
  return [
    { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'MAP' },
    { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 },
    { ...text('key'), repetition_type: 'REQUIRED' },
    value,
  ]
}

function attribute(name: string): SchemaElement[] {
  if (name === 'gen_ai.response.finish_reasons') return list(name, [text('element')])
  if (name === 'gen_ai.request.temperature') return [number(name)]
  return [INTEGERS.has(name) ? integer(name) : text(name)]
}

/** How the table stores a span's attributes. */
export type AttributeForm = 'columns' | 'map' | 'pairs' | 'json'

function attributes(form: AttributeForm): SchemaElement[] {
  switch (form) {
    case 'columns':
      return group('attributes', ...ATTRIBUTE_COLUMNS.map(attribute))
    case 'map':
      return map('attributes', text('value'))
    case 'pairs':
      return list('attributes', group('element', [text('key')], [text('value')]))
    case 'json':
      return [text('attributes')]
  }
}

function spanColumns(form: AttributeForm, times: 'text' | 'timestamp'): SchemaElement[][] {
  const instant = times === 'text' ? text : time
  return [
    ...['trace_id', 'span_id', 'parent_span_id', 'name', 'kind'].map((name) => [text(name)]),
    [instant('start_time')],
    [instant('end_time')],
    attributes(form),
    group('status', [text('code')], [text('message')]),
    group('resource_attributes', [text('service.name')]),
  ]
}

const CODECS = {
  UNCOMPRESSED: undefined,
  SNAPPY: undefined,
  GZIP: (bytes: Uint8Array) => gzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes),
  ZSTD: zstdFrame,
}

export interface TableOptions {
  readonly attributes?: AttributeForm
  readonly times?: 'text' | 'timestamp'
  readonly codec?: keyof typeof CODECS
  readonly rowsPerGroup?: number
  readonly pageBytes?: number
  /** Where pages lie, for readers that want a part of a row group. */
  readonly pageIndex?: boolean
}

/** The columns of a table with a session in each row. */
export function sessionColumns({ attributes = 'columns', times = 'text' }: TableOptions = {}): SchemaElement[] {
  return [
    { name: 'root', num_children: 8 },
    ...['session_id', 'source_id', 'harness', 'benchmark'].map(text),
    ...list('models', [text('element')]),
    integer('max_tokens'),
    integer('total_tokens'),
    ...list('spans', group('element', ...spanColumns(attributes, times))),
  ]
}

const COLUMNS = ['session_id', 'source_id', 'harness', 'benchmark', 'models', 'max_tokens', 'total_tokens', 'spans']

/** A parquet file of sessions, a row for each. */
export function sessionTable(rows: Iterable<JsonObject>, options: TableOptions = {}): Uint8Array {
  const writer = new ByteWriter()
  write(writer, stored(rows, options), options)
  return writer.getBytes()
}

/** The same on disk, for tables that are large; rows as their columns want them. */
export function writeSessionTable(path: string, rows: Iterable<JsonObject>, options: TableOptions = {}): void {
  write(fileWriter(path), rows, options)
}

/** A table of text alone, a column for each field. */
export function textTable(rows: readonly Readonly<Record<string, unknown>>[]): Uint8Array {
  const writer = new ByteWriter()
  const columns = Object.keys(rows[0] ?? {}).map((name) => ({ name, type: 'STRING' as const }))
  parquetWriteRows({ writer, rows: [...rows], columns })
  return writer.getBytes()
}

function write(writer: Writer, rows: Iterable<JsonObject>, options: TableOptions): void {
  const { codec = 'SNAPPY' } = options
  const compressor = CODECS[codec]
  parquetWriteRows({
    writer,
    rows,
    schema: sessionColumns(options),
    columns: COLUMNS.map((name) => ({ name, offsetIndex: options.pageIndex ?? true })),
    codec,
    ...(compressor === undefined ? {} : { compressors: { [codec]: compressor } }),
    rowGroupSize: options.rowsPerGroup ?? 100,
    ...(options.pageBytes === undefined ? {} : { pageSize: options.pageBytes }),
  })
}

/** Rows as their columns want them: whole numbers as BigInt, instants as dates, attributes as the form says. */
function* stored(rows: Iterable<JsonObject>, { attributes = 'columns', times = 'text' }: TableOptions): Generator<JsonObject> {
  for (const { spans, ...row } of rows) {
    yield {
      ...row,
      max_tokens: BigInt(row.max_tokens as number),
      total_tokens: BigInt(row.total_tokens as number),
      spans: (spans as readonly JsonObject[]).map((span) => ({
        ...span,
        start_time: times === 'text' ? span.start_time : new Date(span.start_time as string),
        end_time: times === 'text' ? span.end_time : new Date(span.end_time as string),
        attributes: storedAttributes(span.attributes as JsonObject, attributes),
      })),
    }
  }
}

function storedAttributes(attributes: JsonObject, form: AttributeForm): unknown {
  const texts = () =>
    Object.entries(attributes).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])
  switch (form) {
    case 'columns':
      return Object.fromEntries(
        Object.entries(attributes).map(([key, value]) => [key, INTEGERS.has(key) ? BigInt(value as number) : value]),
      )
    case 'map':
      return Object.fromEntries(texts())
    case 'pairs':
      return texts().map(([key, value]) => ({ key, value }))
    case 'json':
      return JSON.stringify(attributes)
  }
}
