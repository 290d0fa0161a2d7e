import { isJsonObject, type JsonObject } from '../../message/index.ts'

/** Columns that hold what a file of traces would hold, as values or as JSON text. */
const CONTENT_COLUMNS = ['spans', 'resourceSpans', 'resourceLogs'] as const

/**
 * The row of a table as a document of traces. Tables that cannot nest keep spans as JSON text, all in one or each by itself; a
 * table of a single column holds the documents themselves.
 */
export function rowDocument(row: JsonObject): unknown {
  const [only, ...others] = Object.values(row)
  if (others.length === 0 && typeof only === 'string') return parsed(only)
  const texts = CONTENT_COLUMNS.filter((column) => holdsText(row[column]))
  if (texts.length === 0) return row
  return { ...row, ...Object.fromEntries(texts.map((column) => [column, values(row[column])])) }
}

function holdsText(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && typeof value[0] === 'string')
}

function values(value: unknown): unknown {
  if (!Array.isArray(value)) return parsed(value)
  return value.map(parsed)
}

/** Text that is no JSON stays what it is: the reader of traces says what is wrong with it. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    const result: unknown = JSON.parse(value)
    return isJsonObject(result) || Array.isArray(result) ? result : value
  } catch {
    return value
  }
}
