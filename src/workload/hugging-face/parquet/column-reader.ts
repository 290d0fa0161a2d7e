import type { ColumnMetaData, DecodedArray, ParquetParsers, SchemaTree } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { convert, convertWithDictionary, DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { decompressPage, readDataPage, readDataPageV2 } from 'hyparquet/src/datapage.js'
import { readPlain } from 'hyparquet/src/plain.js'
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getTreePath } from 'hyparquet/src/schema.js'
import { compressors } from 'hyparquet-compressors'
import type { OpenFile } from './open-file.ts'
import { plainParsers, toPlainValue } from './plain-value.ts'

/** Most page headers are some dozens of bytes; statistics can make one longer. */
const FIRST_READ_BYTES = 64 * 1024
/** A page says how large it is, and may lie. */
const LARGEST_PAGE_BYTES = 1024 ** 3
const MOST_PAGE_VALUES = 2 ** 25

type Decoder = Parameters<typeof readDataPageV2>[2]
type PageHeader = ReturnType<typeof parquetHeader>

/**
 * Reads the values of one column chunk, in the order of rows, with a page of it in memory. Where a value stands in its row
 * follows from two levels: how deep it repeats, and how deep it is defined.
 */
export class ColumnReader {
  /** Of the value that comes next: 0 begins a row, as does the end. */
  repetition = 0
  /** Of the value that comes next; below `maxDefinition` it is null, or a list or object around it is. */
  definition = 0
  readonly maxDefinition: number

  readonly #file: OpenFile
  readonly #decoder: Decoder
  readonly #repeats: boolean
  readonly #endByte: number
  #offset: number
  /** Values in pages not read yet. */
  #remaining: number
  #dictionary: DecodedArray | undefined

  #values: DecodedArray = []
  #repetitions: Uint8Array | undefined
  #definitions: Uint8Array | undefined
  #count = 0
  #index = 0
  #valueIndex = 0

  constructor(file: OpenFile, schema: SchemaTree, column: ColumnMetaData) {
    const schemaPath = getTreePath(schema, column.path_in_schema)
    const parsers: ParquetParsers = { ...DEFAULT_PARSERS, ...plainParsers }
    const { element } = schemaPath.at(-1) ?? schema
    const { type, codec, path_in_schema: pathInSchema } = column
    this.#file = file
    this.#decoder = { pathInSchema, type, element, schemaPath, codec, parsers, compressors }
    this.#repeats = getMaxRepetitionLevel(schemaPath) > 0
    this.maxDefinition = getMaxDefinitionLevel(schemaPath)
    this.#offset = Number(column.dictionary_page_offset || column.data_page_offset)
    this.#endByte = this.#offset + Number(column.total_compressed_size)
    this.#remaining = Number(column.num_values)
    this.#toNextPage()
  }

  /** Takes the next value; `null` where there is none. */
  next(): string | number | boolean | null {
    if (this.#index >= this.#count) throw new Error(`the column ${this.#name} ends before the last row`)
    const value = this.definition === this.maxDefinition ? toPlainValue(this.#values[this.#valueIndex++]) : null
    this.#index++
    if (this.#index < this.#count) this.#readLevels()
    else this.#toNextPage()
    return value
  }

  get #name(): string {
    return this.#decoder.pathInSchema.join('.')
  }

  #readLevels(): void {
    this.repetition = this.#repetitions?.[this.#index] ?? 0
    this.definition = this.#definitions?.[this.#index] ?? this.maxDefinition
  }

  /** Pages may be empty. */
  #toNextPage(): void {
    this.#count = 0
    this.#index = 0
    this.#valueIndex = 0
    this.repetition = 0
    this.definition = -1
    while (this.#count === 0 && this.#remaining > 0 && this.#offset < this.#endByte) this.#readPage()
    if (this.#count > 0) this.#readLevels()
  }

  #readPage(): void {
    const { header, body } = this.#nextPage()
    switch (header.type) {
      case 'DICTIONARY_PAGE':
        this.#dictionary = this.#readDictionary(header, body)
        return
      case 'DATA_PAGE':
      case 'DATA_PAGE_V2':
        this.#takePage(header, body)
        return
      default:
      // An index page; nothing of it is needed.
    }
  }

  #nextPage(): { header: PageHeader; body: Uint8Array } {
    const most = this.#endByte - this.#offset
    for (let size = Math.min(FIRST_READ_BYTES, most); ; size = Math.min(size * 4, most)) {
      const bytes = this.#file.read(this.#offset, size)
      const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
      let header: PageHeader
      try {
        header = parquetHeader(reader)
      } catch (error) {
        if (size < most) continue
        throw error
      }
      const { compressed_page_size: length, uncompressed_page_size: unpacked } = header
      const bodyOffset = this.#offset + reader.offset
      if (!(length >= 0 && bodyOffset + length <= this.#endByte && unpacked >= 0 && unpacked <= LARGEST_PAGE_BYTES)) {
        throw new Error(`a page of the column ${this.#name} claims ${length} bytes, ${unpacked} unpacked`)
      }
      this.#offset = bodyOffset + length
      const read = bytes.subarray(reader.offset, reader.offset + length)
      return { header, body: read.length === length ? read : this.#file.read(bodyOffset, length) }
    }
  }

  #readDictionary(header: PageHeader, body: Uint8Array): DecodedArray {
    const { type, codec, element } = this.#decoder
    const page = decompressPage(body, header.uncompressed_page_size, codec, compressors)
    const reader = { view: new DataView(page.buffer, page.byteOffset, page.byteLength), offset: 0 }
    const count = this.#bounded(header.dictionary_page_header?.num_values)
    return convert(readPlain(reader, type, count, element.type_length), this.#decoder)
  }

  #takePage(header: PageHeader, body: Uint8Array): void {
    const dataHeader = header.data_page_header_v2 ?? header.data_page_header
    const count = this.#bounded(dataHeader?.num_values)
    const page = this.#decode(header, body)
    this.#values = convertWithDictionary(page.dataPage, this.#dictionary, dataHeader?.encoding ?? 'PLAIN', this.#decoder)
    // Levels come as arrays of doubles' width; a long column of nulls is nothing but levels.
    this.#repetitions = this.#repeats ? Uint8Array.from(page.repetitionLevels) : undefined
    this.#definitions = page.definitionLevels?.length ? Uint8Array.from(page.definitionLevels) : undefined
    this.#count = count
    this.#remaining -= count
  }

  #decode(header: PageHeader, body: Uint8Array): ReturnType<typeof readDataPage> {
    const { data_page_header: dataHeader, uncompressed_page_size: size } = header
    if (dataHeader === undefined) return readDataPageV2(body, header, this.#decoder)
    return readDataPage(decompressPage(body, size, this.#decoder.codec, compressors), dataHeader, this.#decoder)
  }

  #bounded(count = -1): number {
    if (count >= 0 && count <= MOST_PAGE_VALUES) return count
    throw new Error(`a page of the column ${this.#name} claims ${count} values`)
  }
}
