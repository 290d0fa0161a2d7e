import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { glob, isDynamicPattern } from 'tinyglobby'
import { TraceReplayError } from '../base/index.ts'

/** What a directory is searched for. */
const TRACE_FILES_IN_DIRECTORY = '**/*.{json,jsonl,ndjson}{,.gz}'

/** A file to read, and the name errors and reports give it. */
export interface FoundFile {
  readonly path: string
  /** Relative to `cwd` where it lies below, with forward slashes. */
  readonly name: string
  readonly sizeBytes: number
}

/**
 * Paths, directories and globs → files, in the order of the patterns, sorted by name within one, each file once.
 *
 * @throws {TraceReplayError} `NO_TRACE_FILES` for a path that does not exist or a pattern that matches nothing
 */
export async function findTraceFiles(patterns: readonly string[], cwd: string): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const pattern of patterns) {
    const paths = await expand(pattern, cwd)
    if (paths.length === 0) throw matchesNothing(pattern, cwd)
    for (const path of paths) {
      // Links lead to the same file by several names.
      const real = await realpath(path)
      if (found.has(real)) continue
      const { size } = await stat(real)
      found.set(real, { path, name: displayName(path, cwd), sizeBytes: size })
    }
  }
  return [...found.values()]
}

async function expand(pattern: string, cwd: string): Promise<string[]> {
  const path = resolve(cwd, pattern)
  const info = await stat(path).catch(() => undefined)
  if (info?.isFile()) return [path]
  if (info?.isDirectory())
    return sorted(await glob(TRACE_FILES_IN_DIRECTORY, { cwd: path, absolute: true, ignore: ['**/node_modules'] }))
  if (!isDynamicPattern(pattern)) return []
  return sorted(await glob(pattern.split('\\').join('/'), { cwd, absolute: true }))
}

function sorted(paths: string[]): string[] {
  // By code unit, not by locale: the same order on every machine.
  return paths.map((path) => resolve(path)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

function displayName(path: string, cwd: string): string {
  const below = relative(cwd, path)
  return below.startsWith('..') || isAbsolute(below) ? path : below.split(sep).join('/')
}

function matchesNothing(pattern: string, cwd: string): TraceReplayError {
  const what = isDynamicPattern(pattern)
    ? `The pattern '${pattern}' matches no file`
    : `'${pattern}' is neither a file nor a directory with trace files`
  return new TraceReplayError(
    'NO_TRACE_FILES',
    `${what} (looked in ${cwd}). Paths are relative to that directory; a directory is searched for ${TRACE_FILES_IN_DIRECTORY}.`,
  )
}
