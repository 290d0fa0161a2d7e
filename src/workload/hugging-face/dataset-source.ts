import { type Clock, TraceReplayError } from '../../base/index.ts'
import type { WorkloadContext } from '../workload.ts'
import { DatasetCache } from './cache/dataset-cache.ts'
import { formatBytes } from './cache/disk-failure.ts'
import { download } from './cache/download.ts'
import { type DatasetFile, gated, isCommit, listDatasetFiles, resolveCommit } from './dataset-listing.ts'
import { HubConnection, type HubTiming } from './hub-connection.ts'
import { describeFailure, HubFailure } from './hub-failure.ts'
import type { HuggingFaceSettings } from './options.ts'

const PROGRESS_INTERVAL_MS = 250
/** A smaller file is there before a line about it has been read. */
const WORTH_A_LINE_BYTES = 4_000_000

export interface DatasetSourceOptions {
  readonly settings: HuggingFaceSettings
  readonly context: Pick<WorkloadContext, 'signal' | 'onProgress'>
  readonly clock: Clock
  readonly timing?: HubTiming | undefined
}

/** A data set at one commit, from the cache where it is there, else from the hub. */
export class DatasetSource {
  readonly commit: string
  readonly files: readonly DatasetFile[]
  readonly #cache: DatasetCache
  readonly #options: DatasetSourceOptions

  private constructor(commit: string, files: readonly DatasetFile[], cache: DatasetCache, options: DatasetSourceOptions) {
    this.commit = commit
    this.files = files
    this.#cache = cache
    this.#options = options
  }

  /**
   * @param pinned the commit, where it is known from an earlier look
   * @throws {TraceReplayError} `HUB`
   */
  static async open(options: DatasetSourceOptions, pinned?: string): Promise<DatasetSource> {
    const { dataset, revision, cacheDir, hubUrl, offline } = options.settings
    const cache = new DatasetCache(cacheDir, hubUrl, dataset)
    const known = pinned ?? (isCommit(revision) ? revision : offline ? await cache.readCommit(revision) : undefined)
    const listing = known === undefined ? undefined : await cache.readListing(known)
    if (known !== undefined && listing !== undefined) return new DatasetSource(known, listing, cache, options)
    if (offline) throw missing(options.settings, `revision '${revision}'`)
    return withHub(options, async (hub) => {
      const commit = known ?? (await resolveCommit(hub, dataset, revision))
      const files = (await cache.readListing(commit)) ?? (await listDatasetFiles(hub, dataset, commit))
      await cache.writeListing(commit, files)
      if (!isCommit(revision)) await cache.writeCommit(revision, commit)
      return new DatasetSource(commit, files, cache, options)
    })
  }

  /**
   * The file's content on disk.
   *
   * @returns also whether it had to be fetched
   * @throws {TraceReplayError} `HUB`
   */
  async fetch(file: DatasetFile): Promise<{ readonly path: string; readonly fetched: boolean }> {
    const { settings } = this.#options
    const path = this.#cache.blobPath(file, this.commit)
    if (await this.#cache.has(file, this.commit)) return { path, fetched: false }
    if (settings.offline) throw missing(settings, `file '${file.path}' of commit ${this.commit}`)
    await withHub(this.#options, (hub) => this.#download(hub, file, path))
    return { path, fetched: true }
  }

  async #download(hub: HubConnection, file: DatasetFile, path: string): Promise<void> {
    const { settings, context, clock } = this.#options
    const { dataset, hubUrl } = settings
    const filePath = file.path.split('/').map(encodeURIComponent).join('/')
    const url = `${hubUrl}/datasets/${dataset}/resolve/${this.commit}/${filePath}`
    const onProgress = progressOf(file, dataset, context, clock)
    try {
      await download({ hub, url, file, path, clock, signal: context.signal, onProgress })
    } catch (error) {
      throw explain(error, hub, dataset, file, this.commit)
    }
  }
}

async function withHub<T>({ settings, context, clock, timing }: DatasetSourceOptions, use: (hub: HubConnection) => Promise<T>) {
  const { hubUrl, token } = settings
  const hub = new HubConnection({ hubUrl, token, clock, signal: context.signal, ...(timing === undefined ? {} : { timing }) })
  try {
    return await use(hub)
  } finally {
    await hub.close()
  }
}

function progressOf(file: DatasetFile, dataset: string, { onProgress }: DatasetSourceOptions['context'], clock: Clock) {
  const totalBytes = file.sizeBytes
  if (onProgress === undefined) {
    if (totalBytes >= WORTH_A_LINE_BYTES) {
      process.stderr.write(`Fetching ${file.path} of ${dataset}, ${formatBytes(totalBytes)}\n`)
    }
    return () => {}
  }
  let shownMs = Number.NEGATIVE_INFINITY
  return (doneBytes: number) => {
    const nowMs = clock.now()
    if (doneBytes < totalBytes && nowMs - shownMs < PROGRESS_INTERVAL_MS) return
    shownMs = nowMs
    onProgress({ dataset, file: file.path, doneBytes, totalBytes })
  }
}

function explain(error: unknown, hub: HubConnection, dataset: string, file: DatasetFile, commit: string): unknown {
  if (!(error instanceof HubFailure)) return error
  const { reason } = error
  if (reason.kind === 'status') {
    const { status, code } = reason
    if (code === 'GatedRepo' || (code === '' && (status === 401 || status === 403) && !hub.hasToken))
      return gated(hub, dataset, error)
    if (status === 404) {
      return new TraceReplayError(
        'HUB',
        `The hub lists the file '${file.path}' of the data set '${dataset}' and does not have it at commit ${commit}. (${error.url})`,
        { cause: error },
      )
    }
  }
  return describeFailure(error, { doing: `fetch '${file.path}' of the data set '${dataset}'`, hasToken: hub.hasToken })
}

function missing({ dataset, cacheDir }: HuggingFaceSettings, what: string): TraceReplayError {
  return new TraceReplayError(
    'HUB',
    `The ${what} of the data set '${dataset}' is not in the cache at ${cacheDir}, and nothing may be fetched: \`offline\` or HF_HUB_OFFLINE is set. Run once without it.`,
  )
}
