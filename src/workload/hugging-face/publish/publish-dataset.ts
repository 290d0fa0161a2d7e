import { pathToFileURL } from 'node:url'
import { TraceReplayError } from '../../../base/index.ts'
import type { HubConnection } from '../hub-connection.ts'
import { describeFailure, HubFailure } from '../hub-failure.ts'
import type { PlannedFile, PublicationPlan } from './plan-publication.ts'

export interface PublicationOptions {
  readonly isPublic: boolean
  /** Uploaded as README.md where there is none. */
  readonly card: string
  readonly signal?: AbortSignal | undefined
  readonly onProgress: (doneFiles: number, files: number) => void
}

/** Hubs take a commit as one request, with small files inside. */
const MOST_FILES_PER_COMMIT = 100
const MOST_BYTES_PER_COMMIT = 64 * 1024 * 1024

interface Upload {
  readonly name: string
  readonly sizeBytes: number
  readonly content: URL | Blob
}

/**
 * Does what a plan says: creates the data set or branch where it is missing, then uploads what is new or changed.
 *
 * @returns the commit that has it all
 * @throws {TraceReplayError} `HUB`
 */
export async function publishDataset(hub: HubConnection, plan: PublicationPlan, options: PublicationOptions): Promise<string> {
  const { dataset, branch } = plan
  try {
    await prepare(hub, plan, options.isPublic)
    return await upload(hub, plan, options)
  } catch (error) {
    throw explain(error, hub, dataset, branch)
  }
}

async function prepare(hub: HubConnection, { dataset, branch, repository, commit }: PublicationPlan, isPublic: boolean) {
  const { createBranch, createRepo } = await import('@huggingface/hub')
  const common = { repo: { type: 'dataset' as const, name: dataset }, hubUrl: hub.hubUrl, fetch: hub.fetch }
  if (repository === 'missing') {
    // The library wants a token of its own; the connection puts the real one in its place.
    await createRepo({ ...common, visibility: isPublic ? 'public' : 'private', accessToken: 'hf_' })
  }
  if (commit === undefined && branch !== 'main') await createBranch({ ...common, branch })
}

async function upload(
  hub: HubConnection,
  plan: PublicationPlan,
  { card, signal, onProgress }: PublicationOptions,
): Promise<string> {
  const { commit } = await import('@huggingface/hub')
  const uploads = uploadsOf(plan, card)
  const batches = batchesOf(uploads)
  let parentCommit = plan.commit
  let doneFiles = 0
  for (const [index, batch] of batches.entries()) {
    signal?.throwIfAborted()
    onProgress(doneFiles, uploads.length)
    const part = batches.length === 1 ? '' : ` (${index + 1} of ${batches.length})`
    const output = await commit({
      repo: { type: 'dataset', name: plan.dataset },
      branch: plan.branch,
      title: `Add recorded agent sessions${part}`,
      operations: batch.map(({ name, content }) => ({ operation: 'addOrUpdate', path: name, content })),
      hubUrl: hub.hubUrl,
      fetch: hub.fetch,
      useXet: false,
      // Whoever pushed since the plan was made is not overwritten unseen.
      ...(parentCommit === undefined ? {} : { parentCommit }),
      ...(signal === undefined ? {} : { abortSignal: signal }),
    })
    parentCommit = output?.commit.oid
    doneFiles += batch.length
  }
  onProgress(doneFiles, uploads.length)
  return parentCommit ?? ''
}

function uploadsOf({ files, needsCard }: PublicationPlan, card: string): Upload[] {
  const uploads: Upload[] = files
    .filter(isNeeded)
    .map(({ name, path, sizeBytes }) => ({ name, sizeBytes, content: pathToFileURL(path) }))
  // Last: a card stands for a data set that is all there.
  if (needsCard) uploads.push({ name: 'README.md', sizeBytes: card.length, content: new Blob([card]) })
  return uploads
}

function isNeeded({ state }: PlannedFile): boolean {
  return state !== 'unchanged'
}

function batchesOf(uploads: readonly Upload[]): Upload[][] {
  const batches: Upload[][] = []
  let current: Upload[] = []
  let bytes = 0
  for (const file of uploads) {
    if (current.length >= MOST_FILES_PER_COMMIT || (current.length > 0 && bytes + file.sizeBytes > MOST_BYTES_PER_COMMIT)) {
      batches.push(current)
      current = []
      bytes = 0
    }
    current.push(file)
    bytes += file.sizeBytes
  }
  if (current.length > 0) batches.push(current)
  return batches
}

function explain(error: unknown, hub: HubConnection, dataset: string, branch: string): unknown {
  if (!(error instanceof HubFailure)) return error
  const { reason } = error
  if (reason.kind === 'status' && reason.status === 403) {
    return new TraceReplayError(
      'HUB',
      `The access token may not write to '${dataset}' (403). It needs write access to the repositories of '${dataset.split('/')[0]}'.${reason.message === '' ? '' : ` The hub says: ${reason.message}`} (${error.url})`,
      { cause: error },
    )
  }
  if (reason.kind === 'status' && (reason.status === 409 || reason.status === 412)) {
    return new TraceReplayError(
      'HUB',
      `The branch '${branch}' of '${dataset}' was changed by somebody else in the meantime. Run again to see what would be overwritten. (${error.url})`,
      { cause: error },
    )
  }
  return describeFailure(error, { doing: `publish to '${dataset}'`, hasToken: hub.hasToken })
}
