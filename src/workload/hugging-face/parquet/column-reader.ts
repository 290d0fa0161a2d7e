import type { ColumnMetaData, DecodedArray, SchemaTree } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { getTreePath } from 'hyparquet/src/schema.js'
import type { OpenFile } from './open-file.ts'
import { type ColumnShape, columnShape, decodeDictionary, decodePage, type Page, type PageHeader } from './page.ts'
import { toPlainValue } from './plain-value.ts'

/** Most page headers are some dozens of bytes; statistics can make one longer. */
const FIRST_READ_BYTES = 64 * 1024
/** A page says how large it is, and may lie. */
const LARGEST_PAGE_BYTES = 1024 ** 3
const NO_PAGE: Page = { count: 0, repetitions: undefined, definitions: undefined, nextValue: () => null }

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
  readonly #shape: ColumnShape
  readonly #endByte: number
  #offset: number
  /** Values in pages not read yet. */
  #remaining: number
  #dictionary: DecodedArray | undefined
  #page = NO_PAGE
  #index = 0

  constructor(file: OpenFile, schema: SchemaTree, column: ColumnMetaData) {
    const schemaPath = getTreePath(schema, column.path_in_schema)
    this.#file = file
    this.#shape = columnShape(schemaPath, schemaPath.at(-1)?.element ?? schema.element, column.codec)
    this.maxDefinition = this.#shape.maxDefinition
    this.#offset = Number(column.dictionary_page_offset || column.data_page_offset)
    this.#endByte = this.#offset + Number(column.total_compressed_size)
    this.#remaining = Number(column.num_values)
    this.#toNextPage()
  }

  /** Takes the next value; `null` where there is none. */
  next(): string | number | boolean | null {
    const { count, nextValue } = this.#page
    if (this.#index >= count) throw new Error(`the column ${this.#name} ends before the last row`)
    const value = this.definition === this.maxDefinition ? toPlainValue(nextValue()) : null
    this.#index++
    if (this.#index < count) this.#readLevels()
    else this.#toNextPage()
    return value
  }

  get #name(): string {
    return this.#shape.pathInSchema.join('.')
  }

  #readLevels(): void {
    this.repetition = this.#page.repetitions?.[this.#index] ?? 0
    this.definition = this.#page.definitions?.[this.#index] ?? this.maxDefinition
  }

  /** Pages may be empty. */
  #toNextPage(): void {
    this.#page = NO_PAGE
    this.#index = 0
    while (this.#page.count === 0 && this.#remaining > 0 && this.#offset < this.#endByte) this.#readPage()
    this.#remaining -= this.#page.count
    if (this.#page.count > 0) this.#readLevels()
    else this.repetition = 0
  }

  #readPage(): void {
    const { header, body } = this.#nextPage()
    if (header.type === 'DICTIONARY_PAGE') this.#dictionary = decodeDictionary(header, body, this.#shape)
    // The others are indexes; nothing of them is needed.
    else if (header.type === 'DATA_PAGE' || header.type === 'DATA_PAGE_V2') {
      this.#page = decodePage(header, body, this.#shape, this.#dictionary)
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
}
