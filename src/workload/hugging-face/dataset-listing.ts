import { z } from 'zod'
import { nearest, TraceReplayError } from '../../base/index.ts'
import type { HubConnection } from './hub-connection.ts'
import { describeFailure, HubFailure } from './hub-failure.ts'

/** A file of a data set at one commit. */
export const datasetFileSchema = z.strictObject({
  /** Becomes part of an address: nothing that climbs out of the data set. */
  path: z.string().regex(/^(?!.*(?:^|\/)\.{0,2}(?:\/|$))/s),
  sizeBytes: z.int().nonnegative(),
  /** Of its content, as lower-case hex: what a download is held against. */
  hash: z.union([
    z.strictObject({ kind: z.literal('sha256'), hex: z.string().regex(/^[0-9a-f]{64}$/) }),
    /** Git's own, over a header and the content. */
    z.strictObject({ kind: z.literal('git-sha1'), hex: z.string().regex(/^[0-9a-f]{40}$/) }),
    z.null(),
  ]),
})

export type DatasetFile = z.output<typeof datasetFileSchema>

/** A hub with more than this in one data set, or one that never ends its list. */
const MOST_FILES = 200_000

/** 40 hex digits: what no push can change. */
export function isCommit(revision: string): boolean {
  return /^[0-9a-f]{40}$/.test(revision)
}

/**
 * The commit that a branch or tag stands for.
 *
 * @throws {TraceReplayError} `HUB`
 */
export async function resolveCommit(hub: HubConnection, dataset: string, revision: string): Promise<string> {
  const { datasetInfo } = await import('@huggingface/hub')
  try {
    const { sha } = await datasetInfo({
      name: dataset,
      revision,
      additionalFields: ['sha'],
      hubUrl: hub.hubUrl,
      fetch: hub.fetch,
    })
    if (typeof sha === 'string' && isCommit(sha)) return sha
    throw new HubFailure(hub.hubUrl, { kind: 'answer', message: `it names no commit for the revision '${revision}'.` })
  } catch (error) {
    throw await explainMissing(error, hub, dataset, revision)
  }
}

/**
 * Whether a data set is there, and what a branch of it stands for.
 *
 * @throws {TraceReplayError} `HUB`
 */
export async function repositoryState(
  hub: HubConnection,
  dataset: string,
  branch: string,
): Promise<{ readonly repository: 'missing' | 'private' | 'public'; readonly commit: string | undefined }> {
  const { datasetInfo } = await import('@huggingface/hub')
  const look = (revision: string) =>
    datasetInfo({ name: dataset, revision, additionalFields: ['sha'], hubUrl: hub.hubUrl, fetch: hub.fetch })
  try {
    const { private: isPrivate } = await look('HEAD')
    const repository = isPrivate ? 'private' : 'public'
    try {
      return { repository, commit: (await look(branch)).sha }
    } catch (error) {
      if (codeOf(error) === 'RevisionNotFound') return { repository, commit: undefined }
      throw error
    }
  } catch (error) {
    if (codeOf(error) === 'RepoNotFound') return { repository: 'missing', commit: undefined }
    throw await explainMissing(error, hub, dataset, branch)
  }
}

function codeOf(error: unknown): string {
  return error instanceof HubFailure && error.reason.kind === 'status' ? error.reason.code : ''
}

/**
 * All files of a data set at a commit, in the order of the hub.
 *
 * @throws {TraceReplayError} `HUB`
 */
export async function listDatasetFiles(hub: HubConnection, dataset: string, commit: string): Promise<DatasetFile[]> {
  const { listFiles } = await import('@huggingface/hub')
  const files: DatasetFile[] = []
  try {
    const entries = listFiles({
      repo: { type: 'dataset', name: dataset },
      recursive: true,
      revision: commit,
      hubUrl: hub.hubUrl,
      fetch: hub.fetch,
    })
    for await (const { type, path, size, oid, lfs } of entries) {
      if (type !== 'file') continue
      const hash =
        lfs !== undefined ? { kind: 'sha256', hex: lfs.oid } : oid === undefined ? null : { kind: 'git-sha1', hex: oid }
      files.push(datasetFileSchema.parse({ path, sizeBytes: lfs?.size ?? size, hash }))
      if (files.length > MOST_FILES) {
        throw new HubFailure(hub.hubUrl, { kind: 'answer', message: `it lists more than ${MOST_FILES} files.` })
      }
    }
  } catch (error) {
    throw await explainMissing(error, hub, dataset, commit)
  }
  return files
}

/** Tells apart a data set that is not there, one that is hidden, and a revision that is not there. */
export async function explainMissing(error: unknown, hub: HubConnection, dataset: string, revision: string): Promise<unknown> {
  if (error instanceof TraceReplayError) return error
  if (error instanceof z.ZodError || error instanceof SyntaxError) {
    return new TraceReplayError(
      'HUB',
      `Cannot read the data set '${dataset}': ${hub.hubUrl} answers in a form that is not the hub's. Check \`hubUrl\` and HF_ENDPOINT.`,
      { cause: error },
    )
  }
  if (!(error instanceof HubFailure)) return error
  const { reason } = error
  const status = reason.kind === 'status' ? reason.status : undefined
  const code = reason.kind === 'status' ? reason.code : ''
  if (code === 'GatedRepo') return gated(hub, dataset, error)
  if (code === 'RevisionNotFound' || (status === 404 && code === '' && isCommit(revision))) {
    return new TraceReplayError(
      'HUB',
      `The data set '${dataset}' has no revision '${revision}'.${await nearestRevision(hub, dataset, revision)} (${error.url})`,
      { cause: error },
    )
  }
  if (code === 'RepoNotFound' || status === 404) {
    const hint = hub.hasToken
      ? 'If it is private, the access token must belong to an account that may read it.'
      : 'If it is private, set HF_TOKEN or `token`.'
    return new TraceReplayError(
      'HUB',
      `There is no data set '${dataset}' that can be seen.${await nearestDataset(hub, dataset)} ${hint} (${error.url})`,
      { cause: error },
    )
  }
  return describeFailure(error, { doing: `read the data set '${dataset}'`, hasToken: hub.hasToken })
}

/** @see explainMissing */
export function gated(hub: HubConnection, dataset: string, cause: HubFailure): TraceReplayError {
  const page = `${hub.hubUrl}/datasets/${dataset}`
  const way = hub.hasToken
    ? `The account of the access token has not been let in: accept its terms at ${page}, wait for approval where it is manual, and give the token read access to gated repositories.`
    : `Accept its terms at ${page}, then set HF_TOKEN (or \`token\`) to an access token of that account.`
  return new TraceReplayError('HUB', `The data set '${dataset}' is gated. ${way}`, { cause })
}

/** Suggestions are a courtesy: without them the error stands as well. */
async function nearestDataset(hub: HubConnection, dataset: string): Promise<string> {
  const [owner, name] = dataset.split('/')
  if (owner === undefined || name === undefined) return ''
  try {
    const { listDatasets } = await import('@huggingface/hub')
    const names: string[] = []
    for await (const entry of listDatasets({ search: { owner }, limit: 100, hubUrl: hub.hubUrl, fetch: hub.fetch }))
      names.push(entry.name)
    return suggestion(dataset, names)
  } catch {
    return ''
  }
}

const refsSchema = z.object({
  branches: z.array(z.object({ name: z.string() })).default([]),
  tags: z.array(z.object({ name: z.string() })).default([]),
})

async function nearestRevision(hub: HubConnection, dataset: string, revision: string): Promise<string> {
  try {
    const answer = await hub.fetch(`${hub.hubUrl}/api/datasets/${dataset}/refs`)
    const { branches, tags } = refsSchema.parse(await answer.json())
    const names = [...branches, ...tags].map(({ name }) => name)
    return suggestion(revision, names) || (names.length === 0 ? '' : ` It has: ${names.slice(0, 10).join(', ')}.`)
  } catch {
    return ''
  }
}

function suggestion(word: string, candidates: readonly string[]): string {
  const close = nearest(word, candidates)
  return close === undefined ? '' : ` Did you mean '${close}'?`
}
