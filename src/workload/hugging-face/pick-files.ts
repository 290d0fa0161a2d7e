import picomatch from 'picomatch'
import { nearest, TraceReplayError, type Warn } from '../../base/index.ts'
import type { DatasetFile } from './dataset-listing.ts'

const TRACES = /\.(?:jsonl?|ndjson)(?:\.gz)?$/i
const TABLES = /\.parquet$/i
/** What libraries leave beside the data. */
const NOT_DATA = /(?:^|\/)(?:dataset_infos?|dataset_dict|state|config|package)\.json$/i
const HIDDEN = /(?:^|\/)\./
const SHOWN = 8

export interface Selection {
  readonly dataset: string
  readonly split: string | undefined
  /** Paths or globs. */
  readonly files: readonly string[] | undefined
}

/** Whether rows are read from it by name of column. */
export function isTable(path: string): boolean {
  return TABLES.test(path)
}

/**
 * The files of a data set that hold its sessions, in the order of their paths.
 *
 * @throws {TraceReplayError} `NO_TRACE_FILES`
 */
export function pickFiles(listed: readonly DatasetFile[], selection: Selection, warn: Warn): DatasetFile[] {
  const { dataset, split, files } = selection
  const data = listed.filter(({ path }) => (TRACES.test(path) || isTable(path)) && !NOT_DATA.test(path) && !HIDDEN.test(path))
  const matching = files === undefined ? data : byPatterns(listed, files, dataset)
  const picked = split === undefined ? matching : ofSplit(matching, split, dataset)
  if (picked.length === 0) {
    const has = listed.length === 0 ? 'It is empty' : `It has ${sample(listed.map(({ path }) => path))}`
    throw new TraceReplayError('NO_TRACE_FILES', `The data set '${dataset}' has no parquet, JSON or JSON Lines file. ${has}.`)
  }
  return (files === undefined ? oneForm(picked, dataset, warn) : picked).toSorted(byPath)
}

function byPatterns(listed: readonly DatasetFile[], patterns: readonly string[], dataset: string): DatasetFile[] {
  const found = new Set<DatasetFile>()
  for (const pattern of patterns) {
    const matches = picomatch(pattern, { dot: true })
    const matched = listed.filter(({ path }) => path === pattern || matches(path))
    if (matched.length === 0) {
      const paths = listed.map(({ path }) => path)
      const close = nearest(pattern, paths)
      const hint = close === undefined ? (paths.length === 0 ? '' : ` It has ${sample(paths)}.`) : ` Did you mean '${close}'?`
      throw new TraceReplayError('NO_TRACE_FILES', `No file of the data set '${dataset}' matches '${pattern}'.${hint}`)
    }
    for (const file of matched) found.add(file)
  }
  return [...found]
}

/** As the hub does it: the split's name stands in the path as a word of its own. */
function ofSplit(files: readonly DatasetFile[], split: string, dataset: string): DatasetFile[] {
  const picked = files.filter(({ path }) => wordsOf(path).includes(split.toLowerCase()))
  if (picked.length > 0) return picked
  const close = nearest(split, [...new Set(files.flatMap(({ path }) => wordsOf(path)))])
  const hint = close === undefined ? '' : ` Did you mean '${close}'?`
  throw new TraceReplayError(
    'NO_TRACE_FILES',
    `The data set '${dataset}' has no split '${split}': no path has that word in it.${hint} Its files are ${sample(files.map(({ path }) => path))}.`,
  )
}

function wordsOf(path: string): string[] {
  const words = path.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  // `train_v2` is a word too.
  return [...words, ...path.toLowerCase().split(/[/.-]/)].filter((word) => word !== '')
}

/** A data set that holds its sessions twice, as files and as tables, is read once. */
function oneForm(picked: readonly DatasetFile[], dataset: string, warn: Warn): DatasetFile[] {
  const tables = picked.filter(({ path }) => isTable(path))
  const others = picked.length - tables.length
  if (tables.length === 0 || others === 0) return [...picked]
  warn({
    code: 'dataset-files-ignored',
    message: `Only its ${tables.length} parquet files are read, not its ${others} JSON files. Choose with \`files\`.`,
    where: dataset,
  })
  return tables
}

function byPath({ path: a }: DatasetFile, { path: b }: DatasetFile): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function sample(paths: readonly string[]): string {
  const shown = paths.slice(0, SHOWN).join(', ')
  return paths.length > SHOWN ? `${shown} and ${paths.length - SHOWN} more` : shown
}
