import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type DatasetFile, datasetFileSchema, isCommit } from '../dataset-listing.ts'
import { diskFailure } from './disk-failure.ts'

const refSchema = z.strictObject({ revision: z.string(), commit: z.string().refine(isCommit) })
const listingSchema = z.strictObject({ commit: z.string(), files: z.array(datasetFileSchema) })

/**
 * What has been fetched of one data set:
 *
 * - `blobs/` files by the hash of their content, so that revisions share what they have in common
 * - `commits/` the list of files of each commit
 * - `refs/` the commit that a branch or tag stood for when it was last looked up
 *
 * No path is made from a name that the hub sends.
 */
export class DatasetCache {
  readonly directory: string

  constructor(cacheDir: string, hubUrl: string, dataset: string) {
    // Two hubs may hold data sets of one name.
    const { host, pathname } = new URL(hubUrl)
    this.directory = join(cacheDir, fileName(`${host}${pathname.replace(/\/$/, '')}`), `datasets--${dataset.replace('/', '--')}`)
  }

  async readCommit(revision: string): Promise<string | undefined> {
    const ref = await readJson(this.#refPath(revision), refSchema)
    return ref?.revision === revision ? ref.commit : undefined
  }

  writeCommit(revision: string, commit: string): Promise<void> {
    return writeJson(this.#refPath(revision), { revision, commit })
  }

  async readListing(commit: string): Promise<DatasetFile[] | undefined> {
    return (await readJson(this.#listingPath(commit), listingSchema))?.files
  }

  writeListing(commit: string, files: readonly DatasetFile[]): Promise<void> {
    return writeJson(this.#listingPath(commit), { commit, files })
  }

  /** Where the content of a file lies, or is to lie once it is complete. */
  blobPath(file: DatasetFile, commit: string): string {
    const { hash } = file
    const name = hash === null ? `path-${sha256(`${commit} ${file.path}`)}` : `${hash.kind}-${hash.hex}`
    return join(this.directory, 'blobs', name)
  }

  /** Whether the whole content is there. */
  async has(file: DatasetFile, commit: string): Promise<boolean> {
    const found = await stat(this.blobPath(file, commit)).catch(() => undefined)
    return found?.isFile() === true && found.size === file.sizeBytes
  }

  #refPath(revision: string): string {
    return join(this.directory, 'refs', `${fileName(revision)}-${sha256(revision).slice(0, 8)}.json`)
  }

  #listingPath(commit: string): string {
    return join(this.directory, 'commits', `${commit}.json`)
  }
}

/** Readable where the name is tame. */
function fileName(text: string): string {
  return text.replace(/[^\w.-]/g, '_').slice(0, 80)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** @returns `undefined` also for what is damaged: it is fetched anew */
async function readJson<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema> | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(path, 'utf8'))).data
  } catch {
    return undefined
  }
}

/** Whole or not at all, whoever else writes it. */
async function writeJson(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(draft, JSON.stringify(value))
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw diskFailure(error, path)
  }
}
