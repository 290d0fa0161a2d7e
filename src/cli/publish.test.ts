import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { test as base, describe, expect } from 'vitest'
import { traceFiles } from '../../fixtures/stories/index.ts'
import { buildGraph } from '../graph/index.ts'
import { readSessions } from '../trace/index.ts'
import { LocalHub } from '../workload/hugging-face/local-hub/local-hub.fixture.ts'
import { huggingFace } from '../workload/index.ts'
import { type PublishOptions, publish } from './publish.ts'

const TRACES = traceFiles()

const test = base
  .extend('hub', async ({ onTestFinished }) => {
    const hub = await LocalHub.start()
    onTestFinished(() => hub.close())
    return hub
  })
  .extend('cwd', async ({ onTestFinished }) => {
    const cwd = await mkdtemp(join(tmpdir(), 'publish-'))
    onTestFinished(() => rm(cwd, { recursive: true, force: true }))
    for (const { name, json } of TRACES) await put(cwd, `traces/${name}`, json)
    return cwd
  })
  .extend('run', ({ hub, cwd }) => async (given: Partial<PublishOptions> = {}, token: string | null = 'hf_write') => {
    const [out, err]: [string[], string[]] = [[], []]
    const output = { stdout: { write: (text: string) => out.push(text) }, stderr: { write: (text: string) => err.push(text) } }
    const plain = {
      to: 'acme/support',
      branch: 'main',
      isPublic: false,
      isDryRun: false,
      yes: false,
      force: false,
      ask: undefined,
    }
    await publish('traces', { ...plain, ...(token === null ? {} : { token }), hubUrl: hub.url, cwd, ...given }, output)
    return { out: out.join(''), err: err.join('') }
  })

async function put(cwd: string, name: string, content: string): Promise<void> {
  await mkdir(dirname(join(cwd, name)), { recursive: true })
  await writeFile(join(cwd, name), content)
}

/** The files that the branch holds. */
function filesOf(hub: LocalHub, branch = 'main'): string[] {
  const repository = hub.repositories.get('acme/support')
  return [...(repository?.commits.get(repository.branches.get(branch) ?? '')?.keys() ?? [])].toSorted()
}

/** Requests that change something. */
function changes(hub: LocalHub): string[] {
  return hub.takeSeen().filter((line) => / (?:POST|PUT) /.test(line))
}

test('what was published comes back as it was', async ({ hub, cwd, run }) => {
  await put(cwd, 'traces/deep/er/one.jsonl', TRACES[0]?.json.replaceAll('\n', '') ?? '')
  const { out } = await run()
  expect(hub.repositories.get('acme/support')?.isPrivate).toBe(true)
  const workload = huggingFace('acme/support', { hubUrl: hub.url, cacheDir: join(cwd, 'cache'), token: 'hf_read' })
  const graphs = []
  for await (const graph of workload.open({ cwd, onInvalidTrace: 'fail', warn: () => {}, onProgress: () => {} }))
    graphs.push(graph)

  const names = [...TRACES.map(({ name }) => name), 'deep/er/one.jsonl'].toSorted()
  expect(filesOf(hub)).toEqual(['.gitattributes', 'README.md', ...names].toSorted())
  const local = names.map((name) => {
    const json = name.startsWith('deep') ? TRACES[0]?.json : TRACES.find((file) => file.name === name)?.json
    return { name: `acme/support/${name}`, bytes: Buffer.from(json ?? '') }
  })
  const expected = [...readSessions(local, { onInvalidTrace: 'fail', warn: () => {} })].map((session) => buildGraph(session))
  const shape = (all: typeof expected) =>
    all.map(({ session, nodes }) => [
      session.id,
      nodes.map(({ call, edges, waitMs }) => [call.messages, call.output, edges, waitMs]),
    ])
  expect(shape(graphs)).toEqual(shape(expected))
  const commit = hub.repositories.get('acme/support')?.branches.get('main')
  expect(out).toContain(`huggingFace('acme/support', { revision: '${commit}' })`)
})

test('large files go to the storage, without the token', async ({ hub, cwd, run }) => {
  await rm(join(cwd, 'traces'), { recursive: true })
  await put(cwd, 'traces/a.json', TRACES[0]?.json ?? '')
  const packed = gzipSync(TRACES[1]?.json ?? '')
  await writeFile(join(cwd, 'traces/b.json.gz'), packed)
  await run()
  const stored = hub.seen.filter(({ server }) => server === 'storage')
  expect(stored.map(({ line, headers }) => [line.split(' ')[0], headers.authorization])).toEqual([['PUT', undefined]])
  const repository = hub.repositories.get('acme/support')
  const tree = repository?.commits.get(repository.branches.get('main') ?? '')
  expect(gunzipSync(tree?.get('b.json.gz')?.bytes ?? Buffer.of()).toString()).toBe(TRACES[1]?.json)
})

test('a dry run shows all and changes nothing', async ({ hub, run }) => {
  const { out } = await run({ isDryRun: true })
  expect(out).toContain('acme/support (to be created, private)')
  expect(out).toContain('new        support-agent.json')
  expect(out).toContain('Nothing was changed: this was a dry run.')
  expect(changes(hub)).toEqual([])
  expect(hub.repositories.get('acme/support')).toBeUndefined()
})

test('what is there already is not uploaded again', async ({ hub, run }) => {
  await run()
  changes(hub)
  expect((await run()).out).toContain('Everything is there already')
  expect(changes(hub)).toEqual([])
})

test('a card that is there stays', async ({ hub, run }) => {
  hub.put('acme/support', { 'README.md': 'mine' }, { isPrivate: true })
  await run()
  const repository = hub.repositories.get('acme/support')
  expect(
    repository?.commits
      .get(repository.branches.get('main') ?? '')
      ?.get('README.md')
      ?.bytes.toString(),
  ).toBe('mine')
})

test('another branch', async ({ hub, run }) => {
  hub.put('acme/support', { 'x.txt': 'x' }, { isPrivate: true })
  await run({ branch: 'v2' })
  expect(filesOf(hub, 'v2')).toContain('support-agent.json')
  expect(filesOf(hub)).not.toContain('support-agent.json')
})

describe('overwriting', () => {
  test.for([
    ['y', true],
    ['yes', true],
    ['n', false],
    ['', false],
  ] as const)('asks; %j means %j', async ([answer, overwrites], { hub, run }) => {
    hub.put('acme/support', { 'support-agent.json': 'old' }, { isPrivate: true })
    const asked: string[] = []
    const { out } = await run({
      ask: async (question) => {
        asked.push(question)
        return answer
      },
    })
    expect(asked).toEqual(["Overwrite 1 file of 'acme/support'? [y/N] "])
    expect(out).toContain('overwrite  support-agent.json')
    expect(changes(hub).length > 0).toBe(overwrites)
  })

  test('without a terminal it is refused, unless --yes says so', async ({ hub, run }) => {
    hub.put('acme/support', { 'support-agent.json': 'old' }, { isPrivate: true })
    await expect(run()).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('no terminal to ask on. Pass --yes'),
    })
    expect(changes(hub)).toEqual([])
    await run({ yes: true })
    expect(changes(hub).length).toBeGreaterThan(0)
  })

  test('somebody else’s push in between is not overwritten', async ({ hub, run }) => {
    hub.put('acme/support', { 'support-agent.json': 'old' }, { isPrivate: true })
    const ask = async () => {
      hub.put('acme/support', { 'support-agent.json': 'theirs' })
      return 'y'
    }
    await expect(run({ ask })).rejects.toMatchObject({
      code: 'HUB',
      message: expect.stringContaining('changed by somebody else'),
    })
  })
})

describe('who may read it', () => {
  test('a new data set is public only when that is said', async ({ hub, run }) => {
    await run({ isPublic: true })
    expect(hub.repositories.get('acme/support')?.isPrivate).toBe(false)
  })

  test('private traces do not slip into a public data set', async ({ hub, run }) => {
    hub.put('acme/support', { 'x.txt': 'x' })
    await expect(run()).rejects.toMatchObject({
      code: 'HUB',
      message: expect.stringContaining('is public: everybody could read these traces. Pass --public'),
    })
    expect(changes(hub)).toEqual([])
  })
})

describe('what cannot be replayed', () => {
  test('keeps everything at home, unless --force says otherwise', async ({ hub, cwd, run }) => {
    await put(cwd, 'traces/broken.json', '{"spans":[')
    await expect(run()).rejects.toMatchObject({
      code: 'INVALID_TRACE',
      message: expect.stringMatching(/nothing was uploaded:\n {2}broken\.json: [\s\S]*--force/),
    })
    expect(hub.takeSeen()).toEqual([])
    expect((await run({ force: true })).err).toContain('broken.json')
    expect(filesOf(hub)).toContain('broken.json')
  })

  test('a directory without traces', async ({ cwd, run }) => {
    await rm(join(cwd, 'traces'), { recursive: true })
    await mkdir(join(cwd, 'traces'))
    await expect(run()).rejects.toMatchObject({ code: 'NO_TRACE_FILES' })
  })
})

describe('a hub that does not let us', () => {
  test.for([
    ['without a token', null, 'Publishing needs an access token'],
    ['with one that may only read', 'hf_read', "may not write to 'acme/support' (403)"],
    ['with a wrong one', 'hf_wrong', 'does not know the access token (401)'],
  ] as const)('%s', async ([, token, message], { hub, run }) => {
    await expect(run({}, token)).rejects.toMatchObject({ code: 'HUB', message: expect.stringContaining(message) })
    expect(hub.repositories.get('acme/support')).toBeUndefined()
  })

  test('a name without an owner', async ({ run }) => {
    await expect(run({ to: 'support' })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('expected owner and name'),
    })
  })

  test('in the middle', async ({ hub, run }) => {
    hub.fail(/ POST .*\/commit\//, { kind: 'status', status: 500 })
    await expect(run()).rejects.toMatchObject({
      code: 'HUB',
      message: expect.stringContaining("Cannot publish to 'acme/support': the hub answers 500"),
    })
  })

  test('for a while', async ({ hub, run }) => {
    hub.fail(/ POST .*\/commit\//, { kind: 'status', status: 429, headers: { 'retry-after': '0' } })
    await run()
    expect(filesOf(hub)).toContain('support-agent.json')
  })
})
