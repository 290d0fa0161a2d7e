import type { IncomingMessage } from 'node:http'
import type { Answer, Fault } from './faults.fixture.ts'
import {
  gitHash,
  isLarge,
  type Repositories,
  type Repository,
  type StoredFile,
  sha256,
  type Tree,
} from './repositories.fixture.ts'
import { ranged } from './storage.fixture.ts'

export interface HubApiOptions {
  readonly repositories: Repositories
  readonly hubUrl: () => string
  readonly storageUrl: () => string
  /** Tokens that the hub knows. */
  readonly tokens: ReadonlyMap<string, TokenRights>
  readonly pageSize: number
}

export interface TokenRights {
  readonly write: boolean
  /** Has accepted the terms of gated data sets. */
  readonly gated: boolean
}

type Context = HubApiOptions & {
  readonly request: IncomingMessage
  readonly url: URL
  readonly body: Buffer
  readonly fault: Fault | undefined
}

/** What `@huggingface/hub` and the downloader ask of a hub. */
export function answerHub(options: HubApiOptions, request: IncomingMessage, body: Buffer, fault: Fault | undefined): Answer {
  const url = new URL(request.url ?? '/', options.hubUrl())
  const context: Context = { ...options, request, url, body, fault }
  const rights = rightsOf(context)
  if (request.headers.authorization !== undefined && rights === undefined)
    return json(401, { error: 'Invalid credentials in Authorization header' })
  for (const [method, path, answer] of ROUTES) {
    const match = path.exec(url.pathname)
    if (match === null || !method.split(' ').includes(request.method ?? '')) continue
    return answer(context, match.slice(1).map(decodeURIComponent))
  }
  return json(404, { error: 'Sorry, we can’t find the page you are looking for.' })
}

type Route = readonly [methods: string, path: RegExp, answer: (context: Context, parts: readonly string[]) => Answer]

const NAME = '([^/]+/[^/]+)'
const ROUTES: readonly Route[] = [
  ['GET', /^\/api\/datasets$/, searchDatasets],
  ['GET', new RegExp(`^/api/datasets/${NAME}/revision/([^/]+)$`), (context, parts) => atRevision(context, parts, datasetInfo)],
  ['GET', new RegExp(`^/api/datasets/${NAME}/tree/([^/]+)$`), (context, parts) => atRevision(context, parts, tree)],
  ['GET', new RegExp(`^/api/datasets/${NAME}/refs$`), (context, [name]) => withRepository(context, name, refs)],
  [
    'GET HEAD',
    new RegExp(`^/datasets/${NAME}/resolve/([^/]+)/(.+)$`),
    (context, parts) => atRevision(context, parts, resolveFile),
  ],
  ['POST', /^\/api\/repos\/create$/, createRepository],
  ['POST', new RegExp(`^/api/datasets/${NAME}/branch/([^/]+)$`), createBranch],
  ['POST', new RegExp(`^/api/datasets/${NAME}/preupload/([^/]+)$`), (context, [name]) => changing(context, name, preupload)],
  [
    'POST',
    new RegExp(`^/datasets/${NAME}\\.git/info/lfs/objects/batch$`),
    (context, [name]) => changing(context, name, lfsBatch),
  ],
  [
    'POST',
    new RegExp(`^/api/datasets/${NAME}/commit/([^/]+)$`),
    (context, [name, branch]) => changing(context, name, (context, repository) => commit(context, repository, branch ?? 'main')),
  ],
]

function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body: JSON.stringify(body) }
}

function refusal(status: number, code: string, error: string): Answer {
  return json(status, { error }, { 'x-error-code': code, 'x-error-message': error })
}

function rightsOf({ request, tokens }: Context): TokenRights | undefined {
  return tokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''))
}

function withRepository(context: Context, name = '', answer: (context: Context, repository: Repository) => Answer): Answer {
  const repository = context.repositories.get(name)
  const rights = rightsOf(context)
  if (repository === undefined || (repository.isPrivate && rights === undefined)) {
    // Nobody is told whether a hidden data set exists.
    return rights === undefined
      ? refusal(401, 'RepoNotFound', 'Invalid username or password.')
      : refusal(404, 'RepoNotFound', 'Repository not found')
  }
  return answer(context, repository)
}

function changing(
  context: Context,
  name: string | undefined,
  answer: (context: Context, repository: Repository) => Answer,
): Answer {
  return withRepository(context, name, (context, repository) =>
    rightsOf(context)?.write === true
      ? answer(context, repository)
      : json(403, { error: 'You have read access but not the required permissions for this operation' }),
  )
}

function atRevision(
  context: Context,
  [name, revision = '', ...rest]: readonly string[],
  answer: (context: Context, repository: Repository, commit: string, path: string) => Answer,
): Answer {
  return withRepository(context, name, (context, repository) => {
    const commit = context.repositories.resolve(repository, revision === 'HEAD' ? 'main' : revision)
    if (commit === undefined) return refusal(404, 'RevisionNotFound', `Invalid rev id: ${revision}`)
    return answer(context, repository, commit, rest.join('/'))
  })
}

function searchDatasets({ repositories, url }: Context): Answer {
  const owner = url.searchParams.get('author') ?? ''
  const names = repositories.names().filter((name) => name.startsWith(`${owner}/`))
  return json(
    200,
    names.map((id) => ({
      _id: id,
      id,
      private: false,
      gated: false,
      downloads: 0,
      likes: 0,
      lastModified: '2026-01-01T00:00:00.000Z',
    })),
  )
}

function datasetInfo(_: Context, { name, isPrivate, gated }: Repository, sha: string): Answer {
  return json(200, {
    _id: name,
    id: name,
    private: isPrivate,
    gated,
    downloads: 0,
    likes: 0,
    lastModified: '2026-01-01T00:00:00.000Z',
    sha,
  })
}

function refs(_: Context, { branches, tags }: Repository): Answer {
  const listed = (names: Map<string, string>) => [...names].map(([name, targetCommit]) => ({ name, targetCommit }))
  return json(200, { branches: listed(branches), tags: listed(tags), converts: [] })
}

function tree({ url, pageSize, hubUrl }: Context, repository: Repository, commit: string): Answer {
  const entries = [...(repository.commits.get(commit) ?? [])].flatMap(([path, file]) => {
    const [directory, ...below] = path.split('/')
    return [
      ...(below.length > 0 ? [{ type: 'directory', oid: gitHash(Buffer.from(directory ?? '')), size: 0, path: directory }] : []),
      treeEntry(path, file),
    ]
  })
  const start = Number(url.searchParams.get('cursor') ?? 0)
  const next = new URL(`${url.pathname}${url.search}`, hubUrl())
  next.searchParams.set('cursor', String(start + pageSize))
  const more = start + pageSize < entries.length
  return json(200, entries.slice(start, start + pageSize), more ? { link: `<${next.href}>; rel="next"` } : {})
}

function treeEntry(path: string, { bytes, lfs }: StoredFile) {
  if (!lfs) return { type: 'file', oid: gitHash(bytes), size: bytes.length, path }
  const pointer = Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(bytes)}\nsize ${bytes.length}\n`)
  return {
    type: 'file',
    oid: gitHash(pointer),
    size: bytes.length,
    path,
    lfs: { oid: sha256(bytes), size: bytes.length, pointerSize: pointer.length },
  }
}

function resolveFile(context: Context, repository: Repository, commit: string, path: string): Answer {
  const { request, storageUrl, fault } = context
  if (repository.gated !== false && rightsOf(context)?.gated !== true) {
    const status = rightsOf(context) === undefined ? 401 : 403
    return refusal(status, 'GatedRepo', `Access to dataset ${repository.name} is restricted.`)
  }
  const file = repository.commits.get(commit)?.get(path)
  if (file === undefined) return refusal(404, 'EntryNotFound', 'Entry not found')
  const headers = { 'x-repo-commit': commit, 'accept-ranges': 'bytes' }
  if (!file.lfs) return ranged(request, file.bytes, { ...headers, etag: `"${gitHash(file.bytes)}"` }, fault)
  const hash = sha256(file.bytes)
  return {
    status: 302,
    headers: {
      ...headers,
      'x-linked-size': String(file.bytes.length),
      'x-linked-etag': `"${hash}"`,
      location: `${storageUrl()}/objects/${hash}?X-Amz-Signature=secret-signature`,
    },
  }
}

function createRepository(context: Context): Answer {
  const { repositories, body, hubUrl } = context
  if (rightsOf(context)?.write !== true)
    return json(rightsOf(context) === undefined ? 401 : 403, {
      error: 'You don’t have the rights to create a dataset under this namespace',
    })
  const { name, organization, visibility, type } = JSON.parse(body.toString()) as Record<string, string>
  const full = `${organization}/${name}`
  if (type !== 'dataset') return json(400, { error: `unexpected type ${type}` })
  if (repositories.get(full) !== undefined) return json(409, { error: 'You already created this dataset repo' })
  repositories.create(full, { isPrivate: visibility === 'private' })
  return json(200, { url: `${hubUrl()}/datasets/${full}`, name: full, id: full })
}

function createBranch(context: Context, [name, branch = '']: readonly string[]): Answer {
  return changing(context, name, (_, repository) => {
    if (repository.branches.has(branch)) return json(409, { error: `Reference already exists: ${branch}` })
    repository.branches.set(branch, repository.branches.get('main') ?? '')
    return { status: 200 }
  })
}

function preupload({ body }: Context): Answer {
  const { files } = JSON.parse(body.toString()) as { files: { path: string; size: number }[] }
  return json(200, { files: files.map(({ path, size }) => ({ path, uploadMode: isLarge(path, size) ? 'lfs' : 'regular' })) })
}

function lfsBatch({ body, storageUrl, repositories }: Context): Answer {
  const { objects } = JSON.parse(body.toString()) as { objects: { oid: string; size: number }[] }
  const answers = objects.map(({ oid, size }) => {
    const known = repositories.objects.has(oid)
    return {
      oid,
      size,
      ...(known ? {} : { actions: { upload: { href: `${storageUrl()}/objects/${oid}?X-Amz-Signature=secret-signature` } } }),
    }
  })
  return json(200, { transfer: 'basic', objects: answers }, { 'content-type': 'application/vnd.git-lfs+json' })
}

interface CommitLine {
  readonly key: 'header' | 'file' | 'lfsFile' | 'deletedFile'
  readonly value: {
    readonly path: string
    readonly content: string
    readonly encoding: BufferEncoding
    readonly oid: string
    readonly parentCommit?: string
  }
}

function commit({ body, repositories, hubUrl }: Context, repository: Repository, branch: string): Answer {
  if (!repository.branches.has(branch)) return refusal(404, 'RevisionNotFound', `Invalid rev id: ${branch}`)
  const lines = body
    .toString()
    .split('\n')
    .map((line) => JSON.parse(line) as CommitLine)
  const parent = lines[0]?.value.parentCommit
  if (parent !== undefined && parent !== repository.branches.get(branch))
    return json(412, { error: 'A commit has happened since. Please refresh and try again.' })
  const files = new Map<string, StoredFile>()
  for (const { key, value } of lines) {
    if (key === 'file') files.set(value.path, { bytes: Buffer.from(value.content, value.encoding), lfs: false })
    if (key !== 'lfsFile') continue
    const bytes = repositories.objects.get(value.oid)
    if (bytes === undefined) return json(422, { error: `LFS object ${value.oid} was not uploaded` })
    files.set(value.path, { bytes, lfs: true })
  }
  const oid = repositories.commit(repository, branch, files satisfies Tree)
  return json(200, {
    commitOid: oid,
    commitUrl: `${hubUrl()}/datasets/${repository.name}/commit/${oid}`,
    hookOutput: '',
    success: true,
  })
}
