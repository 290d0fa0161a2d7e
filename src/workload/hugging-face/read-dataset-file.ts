import { open, readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { TraceReplayError } from '../../base/index.ts'
import type { TraceDocument, TraceFile } from '../../trace/index.ts'
import type { WorkloadContext } from '../workload.ts'
import { fileLines, isJsonLine } from './json-lines.ts'
import { parquetRows } from './parquet/parquet-rows.ts'
import { rowDocument } from './row-document.ts'

/** A file that was fetched. */
export interface LocalFile {
  /** For messages; its ending tells the form. */
  readonly name: string
  readonly path: string
}

type Policy = Pick<WorkloadContext, 'onInvalidTrace' | 'warn'>

const LARGEST_UNPACKED_BYTES = 2 ** 31 - 1
const unpack = promisify(gunzip)

/**
 * The traces in a file of a data set, one by one: rows of a table, lines, or the file as a whole.
 *
 * @throws {TraceReplayError} `UNREADABLE_TRACE`, unless such are to be skipped
 */
export async function* readDatasetFile(file: LocalFile, policy: Policy): AsyncGenerator<TraceFile | TraceDocument> {
  try {
    yield* read(file)
  } catch (error) {
    if (error instanceof TraceReplayError || !(error instanceof Error)) throw error
    const message = `${file.name} cannot be read: ${error.message}.`
    if (policy.onInvalidTrace === 'fail') throw new TraceReplayError('UNREADABLE_TRACE', message, { cause: error })
    policy.warn({ code: 'unreadable-trace-skipped', message, where: file.name })
  }
}

function read(file: LocalFile): AsyncGenerator<TraceFile | TraceDocument> {
  if (/\.parquet$/i.test(file.name)) return readRows(file)
  return /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(file.name) ? readLines(file) : readWhole(file)
}

async function* readRows({ name, path }: LocalFile): AsyncGenerator<TraceDocument> {
  let number = 0
  for (const row of parquetRows(path)) {
    number++
    yield { name: `${name}#${number}`, document: rowDocument(row) }
    // Rows are read without waiting for anything: let others have their turn between them.
    await nextTurn()
  }
}

async function* readLines(file: LocalFile): AsyncGenerator<TraceFile> {
  let isFirst = true
  for await (const line of fileLines(file.path, { gzip: await isGzip(file.path) })) {
    if (isFirst && !isJsonLine(line)) {
      yield* readWhole(file)
      return
    }
    isFirst = false
    yield { name: `${file.name}#${line.number}`, bytes: line.bytes }
  }
}

async function* readWhole({ name, path }: LocalFile): AsyncGenerator<TraceFile> {
  const bytes = await readFile(path)
  yield { name, bytes: (await isGzip(path)) ? await unpack(bytes, { maxOutputLength: LARGEST_UNPACKED_BYTES }) : bytes }
}

/** Told by content: names lie. */
async function isGzip(path: string): Promise<boolean> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer.readUInt16BE(0) === 0x1f8b
  } finally {
    await handle.close()
  }
}
