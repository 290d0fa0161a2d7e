import type { DecodedArray, ParquetParsers, SchemaElement, SchemaTree } from 'hyparquet'
import type { parquetHeader } from 'hyparquet/src/column.js'
import { convert, DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { decompressPage } from 'hyparquet/src/datapage.js'
import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from 'hyparquet/src/delta.js'
import { byteStreamSplit } from 'hyparquet/src/encoding.js'
import { readPlain } from 'hyparquet/src/plain.js'
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js'
import { compressors } from 'hyparquet-compressors'
import { plainParsers } from './plain-value.ts'
import { readRuns } from './runs.ts'

export type PageHeader = ReturnType<typeof parquetHeader>

/** What the pages of a column have in common. */
export type ColumnShape = Parameters<typeof convert>[1] & {
  readonly maxRepetition: number
  readonly maxDefinition: number
}

/** Values and where they stand in their rows. Levels that are the same for all values are left out. */
export interface Page {
  readonly count: number
  readonly repetitions: Uint8Array | undefined
  readonly definitions: Uint8Array | undefined
  /** The next of those that are defined, each decoded when it is taken: a page may hold those of a thousand rows. */
  readonly nextValue: () => unknown
}

const PARSERS: ParquetParsers = { ...DEFAULT_PARSERS, ...plainParsers }
/** A page says how many values it has, and may lie. */
const MOST_VALUES = 2 ** 25

export function columnShape(schemaPath: SchemaTree[], element: SchemaElement, codec: ColumnShape['codec']): ColumnShape {
  const { type } = element
  if (type === undefined) throw new Error(`the column ${element.name} has no type`)
  return {
    pathInSchema: schemaPath.slice(1).map((node) => node.element.name),
    type,
    element,
    schemaPath,
    codec,
    parsers: PARSERS,
    compressors,
    maxRepetition: getMaxRepetitionLevel(schemaPath.slice(1)),
    maxDefinition: getMaxDefinitionLevel(schemaPath),
  }
}

export function decodeDictionary(header: PageHeader, body: Uint8Array, shape: ColumnShape): DecodedArray {
  const page = decompressPage(body, header.uncompressed_page_size, shape.codec, compressors)
  const count = bounded(header.dictionary_page_header?.num_values)
  return convert(readPlain(readerOf(page), shape.type, count, shape.element.type_length), shape)
}

export function decodePage(header: PageHeader, body: Uint8Array, shape: ColumnShape, dictionary: DecodedArray | undefined): Page {
  const { count, encoding, repetitions, definitions, values } = takeApart(header, body, shape)
  const repetitionLevels = readLevels(repetitions, shape.maxRepetition, count)
  const definitionLevels = readLevels(definitions, shape.maxDefinition, count)
  const defined = definitionLevels === undefined ? count : countOf(definitionLevels, shape.maxDefinition)
  return {
    count,
    repetitions: repetitionLevels,
    definitions: definitionLevels,
    nextValue: defined === 0 ? () => null : valuesOf(values, defined, encoding, shape, dictionary),
  }
}

interface PageParts {
  readonly count: number
  readonly encoding: string
  readonly repetitions: Uint8Array
  readonly definitions: Uint8Array
  readonly values: Uint8Array
}

/** Version 1 compresses a page as a whole and puts lengths before the levels; version 2 has them in the header. */
function takeApart(header: PageHeader, body: Uint8Array, { codec, maxRepetition, maxDefinition }: ColumnShape): PageParts {
  const { data_page_header: first, data_page_header_v2: second, uncompressed_page_size: size } = header
  if (second !== undefined) {
    const { repetition_levels_byte_length: repetitionBytes, definition_levels_byte_length: definitionBytes } = second
    const begin = repetitionBytes + definitionBytes
    const stored = body.subarray(begin)
    const isPacked = second.is_compressed !== false && size > begin
    return {
      count: bounded(second.num_values),
      encoding: second.encoding,
      repetitions: body.subarray(0, repetitionBytes),
      definitions: body.subarray(repetitionBytes, begin),
      values: isPacked ? decompressPage(stored, size - begin, codec, compressors) : stored,
    }
  }
  const page = decompressPage(body, size, codec, compressors)
  const [repetitions, afterRepetitions] = maxRepetition === 0 ? [EMPTY, page] : afterLength(page)
  const [definitions, values] = maxDefinition === 0 ? [EMPTY, afterRepetitions] : afterLength(afterRepetitions)
  return { count: bounded(first?.num_values), encoding: first?.encoding ?? 'PLAIN', repetitions, definitions, values }
}

const EMPTY = new Uint8Array()
const LENGTH_BYTES = 4

function afterLength(bytes: Uint8Array): [Uint8Array, Uint8Array] {
  const end = LENGTH_BYTES + readerOf(bytes).view.getUint32(0, true)
  if (end > bytes.length) throw new Error('a page of it ends too early')
  return [bytes.subarray(LENGTH_BYTES, end), bytes.subarray(end)]
}

function readLevels(bytes: Uint8Array, highest: number, count: number): Uint8Array | undefined {
  if (highest === 0) return undefined
  const levels = new Uint8Array(count)
  readRuns(bytes, widthOf(highest), levels)
  return levels
}

/** Bits that hold numbers up to `highest`. */
function widthOf(highest: number): number {
  return 32 - Math.clz32(highest)
}

function countOf(levels: Uint8Array, wanted: number): number {
  let count = 0
  for (const level of levels) if (level === wanted) count++
  return count
}

function valuesOf(
  bytes: Uint8Array,
  count: number,
  encoding: string,
  shape: ColumnShape,
  dictionary: DecodedArray | undefined,
): () => unknown {
  if (encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY') return entriesOf(bytes, count, dictionary)
  if (encoding === 'PLAIN' && isText(shape)) return textsOf(bytes)
  const values = convert(decodeValues(bytes, count, encoding, shape), shape)
  let index = 0
  return () => values[index++]
}

function entriesOf(bytes: Uint8Array, count: number, dictionary: DecodedArray = []): () => unknown {
  const entries = new Int32Array(count)
  readRuns(bytes.subarray(1), bytes[0] ?? 0, entries)
  let index = 0
  return () => {
    const entry = entries[index++] ?? -1
    if (entry < 0 || entry >= dictionary.length) throw new Error(`its dictionary has no entry ${entry}`)
    return dictionary[entry]
  }
}

function isText({ type, element }: ColumnShape): boolean {
  const { converted_type: converted, logical_type: logical } = element
  const texts: readonly (string | undefined)[] = [undefined, 'UTF8', 'STRING', 'JSON', 'ENUM']
  return type === 'BYTE_ARRAY' && texts.includes(converted) && texts.includes(logical?.type)
}

/** Each text stands behind its length. */
function textsOf(bytes: Uint8Array): () => string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let offset = 0
  return () => {
    const start = offset + LENGTH_BYTES
    if (start > buffer.length) throw new Error('a page of it ends too early')
    offset = start + buffer.readUInt32LE(offset)
    if (offset > buffer.length) throw new Error('a page of it ends too early')
    return buffer.toString('utf8', start, offset)
  }
}

function decodeValues(bytes: Uint8Array, count: number, encoding: string, { type, element }: ColumnShape): DecodedArray {
  const reader = readerOf(bytes)
  switch (encoding) {
    case 'PLAIN':
      return readPlain(reader, type, count, element.type_length)
    case 'RLE': {
      const bits = new Uint8Array(count)
      readRuns(afterLength(bytes)[0], 1, bits)
      return Array.from(bits, (bit) => bit === 1)
    }
    case 'DELTA_BINARY_PACKED': {
      const numbers = type === 'INT32' ? new Int32Array(count) : new BigInt64Array(count)
      deltaBinaryUnpack(reader, count, numbers)
      return numbers
    }
    case 'DELTA_LENGTH_BYTE_ARRAY': {
      const texts: Uint8Array[] = []
      deltaLengthByteArray(reader, count, texts)
      return texts
    }
    case 'DELTA_BYTE_ARRAY': {
      const texts: Uint8Array[] = []
      deltaByteArray(reader, count, texts)
      return texts
    }
    case 'BYTE_STREAM_SPLIT':
      return byteStreamSplit(reader, count, type, element.type_length)
    default:
      throw new Error(`the encoding ${encoding} is not known here`)
  }
}

function readerOf(bytes: Uint8Array) {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
}

function bounded(count = -1): number {
  if (count >= 0 && count <= MOST_VALUES) return count
  throw new Error(`a page claims ${count} values`)
}
