import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clock } from '../../../base/index.ts'
import type { DatasetFile } from '../dataset-listing.ts'
import { connectionFailure, type HubConnection, type HubResponse } from '../hub-connection.ts'
import { HubFailure } from '../hub-failure.ts'
import { discard, responseHeader } from '../hub-response.ts'
import { type ContentCheck, contentCheck } from './content-hash.ts'
import { checkRoom, diskFailure } from './disk-failure.ts'
import { withFileLock } from './file-lock.ts'
import { pour } from './pour.ts'

export interface Download {
  readonly hub: HubConnection
  readonly url: string
  readonly file: DatasetFile
  /** Where the whole content comes to lie. */
  readonly path: string
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  readonly onProgress: (doneBytes: number) => void
}

/**
 * Fetches a file into the cache. A part that is there already, from a download that broke off, is not fetched again; of several
 * processes that want the file one fetches it; what lies at `path` is always whole.
 *
 * @throws {HubFailure} for what the hub or the storage did; `HUB` for the disk
 */
export async function download(job: Download): Promise<void> {
  const { path, file, clock, signal } = job
  const isThere = async () => (await sizeOf(path)) === file.sizeBytes
  if (await isThere()) return
  try {
    await mkdir(dirname(path), { recursive: true })
    await withFileLock(`${path}.lock`, { clock, signal }, isThere, async () => {
      if (!(await isThere())) await fetchWhole(job)
    })
  } catch (error) {
    throw diskFailure(error, path)
  }
}

async function fetchWhole(job: Download): Promise<void> {
  const { hub, url, path } = job
  const partial = new PartialFile(path, job.file)
  const kept = await partial.size()
  const { bavail, bsize } = await statfs(dirname(path))
  checkRoom(job.file.sizeBytes - kept, bavail * bsize, dirname(path))
  // The furthest any attempt came: one that begins anew is no progress until it comes further.
  let reachedBytes = kept
  for (let fresh = false; ; fresh = true) {
    await hub.retrying(
      () =>
        fetchRest(job, partial, (doneBytes) => {
          reachedBytes = Math.max(reachedBytes, doneBytes)
          job.onProgress(doneBytes)
        }),
      true,
      () => reachedBytes,
    )
    const fault = await partial.finish()
    if (fault === undefined) return
    // What an earlier download left may be what is wrong.
    if (fresh || kept === 0) throw new HubFailure(url, { kind: 'answer', message: `what it sends is not the file: ${fault}.` })
  }
}

/** One request for what is missing. */
async function fetchRest(
  { hub, url, file }: Download,
  partial: PartialFile,
  onBytes: (doneBytes: number) => void,
): Promise<void> {
  const start = await partial.size()
  if (start === file.sizeBytes) return
  const tag = start === 0 ? undefined : await partial.tag()
  const response = await hub.send({
    method: 'GET',
    url,
    headers: {
      'accept-encoding': 'identity',
      ...(start === 0 ? {} : { range: `bytes=${start}-` }),
      ...(tag === undefined ? {} : { 'if-range': tag }),
    },
  })
  if (response.status === 416) {
    discard(response)
    await partial.clear()
    throw new HubFailure(url, { kind: 'connection', code: 'RANGE', message: 'the part that was there does not fit' })
  }
  const resumes = response.status === 206 && beginsAt(response, start, file.sizeBytes)
  if (response.status === 206 && !resumes) throw misfit(response, 'it sends another part of the file than was asked for')
  const announced = responseHeader(response, 'content-length')
  const missing = resumes ? file.sizeBytes - start : file.sizeBytes
  if (announced !== undefined && Number(announced) !== missing) {
    throw misfit(response, `it sends ${announced} bytes, the hub lists ${file.sizeBytes}`)
  }
  await partial.append(response, { from: resumes ? start : 0, clear: !resumes && start > 0 }, onBytes)
}

function beginsAt(response: HubResponse, start: number, size: number): boolean {
  const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(responseHeader(response, 'content-range') ?? '')
  return range !== null && Number(range[1]) === start && (range[3] === '*' || Number(range[3]) === size)
}

function misfit(response: HubResponse, what: string): HubFailure {
  discard(response)
  return new HubFailure(response.url, { kind: 'answer', message: `${what}.` })
}

/** What has arrived of a file so far. */
class PartialFile {
  readonly #target: string
  readonly #path: string
  readonly #tagPath: string
  readonly #file: DatasetFile

  constructor(target: string, file: DatasetFile) {
    this.#target = target
    this.#path = `${target}.part`
    this.#tagPath = `${target}.etag`
    this.#file = file
  }

  async size(): Promise<number> {
    const size = (await sizeOf(this.#path)) ?? 0
    if (size <= this.#file.sizeBytes) return size
    await this.clear()
    return 0
  }

  /** The storage's name for the content that the part belongs to. */
  async tag(): Promise<string | undefined> {
    const tag = await readFile(this.#tagPath, 'utf8').catch(() => '')
    return /^"[\x21-\x7e]*"$/.test(tag) ? tag : undefined
  }

  async clear(): Promise<void> {
    await rm(this.#path, { force: true })
    await rm(this.#tagPath, { force: true })
  }

  /**
   * Takes the body of an answer.
   *
   * @param from where in the file it begins
   * @param clear whether what was there is to go first
   */
  async append(
    response: HubResponse,
    { from, clear }: { readonly from: number; readonly clear: boolean },
    onBytes: (doneBytes: number) => void,
  ): Promise<void> {
    const handle = this.#openEnd(response, from, clear)
    // Who listens late to a body misses how it ended: nothing is waited for before.
    handle.catch(() => {})
    let done = from
    try {
      await pour(response.body, async (bytes) => {
        if (done + bytes.length > this.#file.sizeBytes) {
          throw misfit(response, `it sends more than the ${this.#file.sizeBytes} bytes that the hub lists`)
        }
        await this.#write(await handle, bytes)
        done += bytes.length
        onBytes(done)
      })
    } catch (error) {
      discard(response)
      throw connectionFailure(response.url, error)
    } finally {
      await (await handle).close()
    }
    if (done < this.#file.sizeBytes) {
      throw new HubFailure(response.url, { kind: 'connection', code: 'UND_ERR_SOCKET', message: 'it ended too early' })
    }
  }

  async #openEnd(response: HubResponse, from: number, clear: boolean): Promise<FileHandle> {
    const tag = responseHeader(response, 'etag')
    try {
      if (clear) await this.clear()
      // A weak tag does not promise equal bytes.
      if (from === 0 && tag?.startsWith('"') === true) await writeFile(this.#tagPath, tag)
      return await open(this.#path, 'a')
    } catch (error) {
      throw diskFailure(error, this.#path)
    }
  }

  async #write(handle: FileHandle, bytes: Buffer): Promise<void> {
    try {
      for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done)).bytesWritten
    } catch (error) {
      throw diskFailure(error, this.#path)
    }
  }

  /** Puts the whole file in its place. @returns what is wrong with it, and then it is gone */
  async finish(): Promise<string | undefined> {
    // An empty file has no part.
    await (await open(this.#path, 'a')).close()
    const check = contentCheck(this.#file)
    await addFile(check, this.#path)
    const fault = check.fault()
    if (fault !== undefined) {
      await this.clear()
      return fault
    }
    await rename(this.#path, this.#target)
    await rm(this.#tagPath, { force: true })
    return undefined
  }
}

async function addFile(check: ContentCheck, path: string): Promise<void> {
  for await (const bytes of createReadStream(path, { highWaterMark: 1024 * 1024 })) check.add(bytes as Buffer)
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}
