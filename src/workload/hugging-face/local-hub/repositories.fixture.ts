import { createHash } from 'node:crypto'

/** A file as a hub keeps it: in git, or a pointer in git to an object in a storage. */
export interface StoredFile {
  readonly bytes: Buffer
  readonly lfs: boolean
}

export type Tree = ReadonlyMap<string, StoredFile>

export interface Repository {
  readonly name: string
  readonly isPrivate: boolean
  readonly gated: false | 'auto' | 'manual'
  readonly branches: Map<string, string>
  readonly tags: Map<string, string>
  readonly commits: Map<string, Tree>
}

/** What real hubs keep outside of git. */
export function isLarge(path: string, size: number): boolean {
  return /\.(?:parquet|gz|arrow|bin)$/.test(path) || size > 10_000_000
}

export function gitHash(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Data sets by name, with their history. */
export class Repositories {
  readonly #byName = new Map<string, Repository>()
  /** The storage's objects. */
  readonly objects = new Map<string, Buffer>()

  get(name: string): Repository | undefined {
    return this.#byName.get(name)
  }

  names(): string[] {
    return [...this.#byName.keys()]
  }

  create(name: string, { isPrivate = false, gated = false as Repository['gated'] } = {}): Repository {
    const repository: Repository = {
      name,
      isPrivate,
      gated,
      branches: new Map(),
      tags: new Map(),
      commits: new Map(),
    }
    this.#byName.set(name, repository)
    this.commit(repository, 'main', new Map([['.gitattributes', { bytes: Buffer.from('*.parquet filter=lfs\n'), lfs: false }]]))
    return repository
  }

  /** Adds files to what the branch holds. @returns the commit */
  commit(repository: Repository, branch: string, files: Tree): string {
    const parent = repository.branches.get(branch) ?? ''
    const tree = new Map([...(repository.commits.get(parent) ?? []), ...files])
    for (const { bytes, lfs } of files.values()) if (lfs) this.objects.set(sha256(bytes), bytes)
    const listed = [...tree].map(([path, { bytes }]) => `${path} ${gitHash(bytes)}`).join('\n')
    const id = createHash('sha1').update(`${repository.name} ${parent} ${listed}`).digest('hex')
    repository.commits.set(id, tree)
    repository.branches.set(branch, id)
    return id
  }

  /** A branch, a tag or a commit. */
  resolve(repository: Repository, revision: string): string | undefined {
    const { branches, tags, commits } = repository
    return branches.get(revision) ?? tags.get(revision) ?? (commits.has(revision) ? revision : undefined)
  }
}
