import { TraceReplayError } from '../../../base/index.ts'

const WAYS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space, or set `cacheDir` to a place that has it',
  EDQUOT: 'the disk quota is used up. Free some space, or set `cacheDir` to a place that has it',
  EACCES: 'this user may not write there. Set `cacheDir` to a place that it may write to',
  EPERM: 'this user may not write there. Set `cacheDir` to a place that it may write to',
  EROFS: 'the file system is read-only. Set `cacheDir` to a place that can be written to',
  ENOTDIR: 'a part of that path is a file. Set `cacheDir` to a directory',
  EEXIST: 'a part of that path is a file. Set `cacheDir` to a directory',
  EISDIR: 'that is a directory. Remove it',
}

/** An error of the file system in words; anything else as it is. */
export function diskFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error
  const way = WAYS[String(error.code)] ?? `${error.syscall} failed`
  return new TraceReplayError('HUB', `Cannot keep downloads in ${path}: ${way}. (${error.code})`, { cause: error })
}

/** @throws {TraceReplayError} before a download that cannot fit */
export function checkRoom(neededBytes: number, freeBytes: number, path: string): void {
  if (freeBytes >= neededBytes) return
  throw new TraceReplayError(
    'HUB',
    `Cannot keep downloads in ${path}: ${formatBytes(neededBytes)} are needed and ${formatBytes(freeBytes)} free. Free some space, set \`cacheDir\` to a place that has it, or choose fewer files with \`files\` or \`split\`.`,
  )
}

/** `1234567` → `'1.23 MB'` */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000
    unit++
  }
  return `${Number(value.toPrecision(3))} ${units[unit]}`
}
