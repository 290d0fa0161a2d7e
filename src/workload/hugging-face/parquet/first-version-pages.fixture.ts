import { parquetMetadata } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { ByteWriter, type Writer } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'
import type { PageHeader } from './page.ts'

const MAGIC = Buffer.from('PAR1')

/**
 * The same table with pages of format version 1, which most writers still write and the one used here does not. For tables
 * without compression.
 */
export function withFirstVersionPages(table: Uint8Array): Uint8Array {
  const metadata = parquetMetadata(table)
  const writer = new ByteWriter()
  writer.appendBytes(MAGIC)
  for (const { columns } of metadata.row_groups) {
    for (const chunk of columns) {
      const column = chunk.meta_data
      if (column === undefined || column.codec !== 'UNCOMPRESSED') throw new Error('Expected columns without compression.')
      const start = Number(column.dictionary_page_offset || column.data_page_offset)
      const begun = writer.offset
      const firstData = copyPages(table.subarray(start, start + Number(column.total_compressed_size)), writer)
      const size = BigInt(writer.offset - begun)
      if (column.dictionary_page_offset) column.dictionary_page_offset = BigInt(begun)
      column.data_page_offset = BigInt(firstData)
      column.total_compressed_size = size
      column.total_uncompressed_size = size
      delete chunk.offset_index_offset
      delete chunk.offset_index_length
    }
  }
  // Two versions of one package describe the same thing.
  writeMetadata(writer, metadata as Parameters<typeof writeMetadata>[1])
  writer.appendBytes(MAGIC)
  return writer.getBytes()
}

/** @returns where the first page of data begins */
function copyPages(pages: Uint8Array, writer: Writer): number {
  let firstData: number | undefined
  const reader = { view: new DataView(pages.buffer, pages.byteOffset, pages.byteLength), offset: 0 }
  while (reader.offset < pages.length) {
    const header = parquetHeader(reader)
    const body = pages.subarray(reader.offset, reader.offset + header.compressed_page_size)
    reader.offset += body.length
    const data = header.data_page_header_v2
    if (data !== undefined) firstData ??= writer.offset
    if (data === undefined) {
      writePageHeader(writer, header as Parameters<typeof writePageHeader>[1])
      writer.appendBytes(body)
      continue
    }
    const { repetition_levels_byte_length: repetitions, definition_levels_byte_length: definitions } = data
    const parts = [
      withLength(body.subarray(0, repetitions)),
      withLength(body.subarray(repetitions, repetitions + definitions)),
      body.subarray(repetitions + definitions),
    ]
    const joined = Buffer.concat(parts)
    const firstVersion: PageHeader = {
      type: 'DATA_PAGE',
      uncompressed_page_size: joined.length,
      compressed_page_size: joined.length,
      data_page_header: {
        num_values: data.num_values,
        encoding: data.encoding,
        definition_level_encoding: 'RLE',
        repetition_level_encoding: 'RLE',
      },
    }
    writePageHeader(writer, firstVersion as Parameters<typeof writePageHeader>[1])
    writer.appendBytes(joined)
  }
  return firstData ?? writer.offset
}

/** Levels of version 1 say how long they are; where there are none, nothing stands. */
function withLength(levels: Uint8Array): Uint8Array {
  if (levels.length === 0) return levels
  const length = Buffer.alloc(4)
  length.writeUInt32LE(levels.length)
  return Buffer.concat([length, levels])
}
