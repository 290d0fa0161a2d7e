import { type FileMetaData, parquetMetadata, parquetSchema, type RowGroup, type SchemaTree } from 'hyparquet'
import type { JsonObject } from '../../../message/index.ts'
import { ColumnReader } from './column-reader.ts'
import { OpenFile } from './open-file.ts'
import { type Field, fieldOf } from './row-assembly.ts'

const FOOTER_BYTES = 8
const MAGIC = 'PAR1'

/**
 * The rows of a parquet file as JSON would have them, columns without a value left out. Of each column one page is in memory,
 * whatever the size of the file and of its row groups.
 *
 * @throws {Error} for a file that is no parquet or damaged, with a message that follows on "… cannot be read: "
 */
export function* parquetRows(path: string): Generator<JsonObject> {
  const file = new OpenFile(path)
  try {
    const metadata = readMetadata(file)
    const schema = parquetSchema(metadata)
    for (const group of metadata.row_groups) yield* rowsOf(file, schema, group)
  } finally {
    file.close()
  }
}

function readMetadata(file: OpenFile): FileMetaData {
  if (file.sizeBytes < MAGIC.length + FOOTER_BYTES) throw new Error(`it has only ${file.sizeBytes} bytes`)
  const footer = Buffer.from(file.read(file.sizeBytes - FOOTER_BYTES, FOOTER_BYTES))
  const magic = footer.toString('latin1', 4)
  if (magic === 'PARE') throw new Error('it is encrypted')
  if (magic !== MAGIC) throw new Error('it does not end as a parquet file does; it is cut off, or something else')
  const length = footer.readUInt32LE(0)
  if (length > file.sizeBytes - FOOTER_BYTES) throw new Error(`its footer claims ${length} bytes, more than the file has`)
  return parquetMetadata(file.read(file.sizeBytes - FOOTER_BYTES - length, length + FOOTER_BYTES), { geoparquet: false })
}

function* rowsOf(file: OpenFile, schema: SchemaTree, rowGroup: RowGroup): Generator<JsonObject> {
  const columns = columnsOf(rowGroup)
  const row = fieldOf(schema, (columnPath) => {
    const column = columns.get(pathKey(columnPath))
    if (column === undefined) throw new Error(`the column ${columnPath.join('.')} is missing`)
    return new ColumnReader(file, schema, column)
  })
  for (let left = rowGroup.num_rows; left > 0n; left--) yield readRow(row)
}

function readRow(row: Field): JsonObject {
  return row.read() as JsonObject
}

function columnsOf(rowGroup: RowGroup) {
  return new Map(
    rowGroup.columns.map(({ file_path: elsewhere, meta_data: column }) => {
      if (elsewhere !== undefined && elsewhere !== '') throw new Error('its columns lie in other files')
      if (column === undefined) throw new Error('its columns are encrypted')
      return [pathKey(column.path_in_schema), column]
    }),
  )
}

/** Names of columns may hold dots. */
function pathKey(path: readonly string[]): string {
  return path.join('\0')
}
