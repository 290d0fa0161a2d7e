import { createReadStream } from 'node:fs'
import { TraceReplayError } from '../../../base/index.ts'
import { contentCheck } from '../cache/content-hash.ts'
import { type DatasetFile, listDatasetFiles, repositoryState } from '../dataset-listing.ts'
import type { HubConnection } from '../hub-connection.ts'

/** A file to upload. */
export interface LocalTraceFile {
  readonly path: string
  /** In the data set, with forward slashes. */
  readonly name: string
  readonly sizeBytes: number
}

export interface PlannedFile extends LocalTraceFile {
  /** `unchanged`: the data set has it already, byte for byte. */
  readonly state: 'new' | 'changed' | 'unchanged'
}

/** What publishing would do. Nothing has been changed yet. */
export interface PublicationPlan {
  readonly dataset: string
  readonly branch: string
  /** `missing`: it would be created, or it is hidden from whoever asks. */
  readonly repository: 'missing' | 'private' | 'public'
  /** What the branch stands for; `undefined` where it is missing too. */
  readonly commit: string | undefined
  readonly files: readonly PlannedFile[]
  readonly needsCard: boolean
}

/**
 * Holds files against what a data set has.
 *
 * @throws {TraceReplayError} `HUB`
 */
export async function planPublication(
  hub: HubConnection,
  target: { readonly dataset: string; readonly branch: string; readonly files: readonly LocalTraceFile[] },
): Promise<PublicationPlan> {
  const { dataset, branch, files } = target
  const { repository, commit } = await repositoryState(hub, dataset, branch)
  const listed = commit === undefined ? [] : await listDatasetFiles(hub, dataset, commit)
  const known = new Map(listed.map((file) => [file.path, file]))
  const planned: PlannedFile[] = []
  for (const file of files) planned.push({ ...file, state: await stateOf(file, known.get(file.name)) })
  return { dataset, branch, repository, commit, files: planned, needsCard: !known.has('README.md') }
}

async function stateOf(file: LocalTraceFile, listed: DatasetFile | undefined): Promise<PlannedFile['state']> {
  if (listed === undefined) return 'new'
  if (listed.hash === null || listed.sizeBytes !== file.sizeBytes) return 'changed'
  const check = contentCheck(listed)
  for await (const bytes of createReadStream(file.path)) check.add(bytes as Buffer)
  return check.fault() === undefined ? 'unchanged' : 'changed'
}

/** What must not happen by accident. */
export function refuseExposure({ dataset, repository }: PublicationPlan, isPublic: boolean): void {
  if (repository !== 'public' || isPublic) return
  throw new TraceReplayError(
    'HUB',
    `The data set '${dataset}' is public: everybody could read these traces. Pass --public if that is what you want, or choose another name.`,
  )
}
