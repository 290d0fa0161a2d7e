import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect } from 'vitest'
import { sessionRow } from './session-row.fixture.ts'
import { test, withEnv } from './with-hub.fixture.ts'

const FILE = JSON.stringify(sessionRow('a'))
const SECRET = /hf_[a-z]+|secret-signature/
const RESOLVE = /^hub GET \/datasets\/.*\/resolve\//
const STORAGE = /^storage GET/
const INFO = /\/revision\//
const TREE = /\/tree\//

function failure(...parts: readonly string[]) {
  return expect.objectContaining({
    name: 'TraceReplayError',
    code: 'HUB',
    message: expect.toSatisfy(
      (message: string) => parts.every((part) => message.includes(part)) && !SECRET.test(message),
      parts.join(' … '),
    ),
  })
}

describe('access', () => {
  test('the token goes to the hub and to nobody else', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.jsonl.gz': FILE }, { gated: 'auto' })
    await read(open('acme/orders', { token: 'hf_gated' }))
    const sent = (server: string) =>
      hub.seen.filter((request) => request.server === server).map(({ headers }) => headers.authorization)
    expect(new Set(sent('hub'))).toEqual(new Set(['Bearer hf_gated']))
    expect(sent('storage')).toEqual([undefined])
  })

  test('nor does a page of a list elsewhere get it', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.jsonl': FILE })
    const link = `<${hub.storageUrl}/next>; rel="next"`
    hub.fail(TREE, { kind: 'status', status: 200, headers: { link, 'content-type': 'application/json' }, body: '[]' })
    await expect(read(open('acme/orders', { token: 'hf_read' }))).rejects.toThrow()
    const [elsewhere] = hub.seen.filter(({ server }) => server === 'storage')
    expect(elsewhere?.line).toBe('GET /next')
    expect(elsewhere?.headers.authorization).toBeUndefined()
  })

  test('the environment has the token; an option is stronger', async ({ hub, open, read }) => {
    withEnv({ HF_TOKEN: ' hf_gated\n' })
    hub.put('acme/orders', { 'a.jsonl': FILE }, { gated: 'auto' })
    expect((await read(open('acme/orders'))).ids).toEqual(['a'])
    await expect(read(open('acme/orders', { token: 'hf_wrong' }))).rejects.toEqual(
      failure('does not know the access token (401)'),
    )
  })

  test.for([
    ['HF_TOKEN', { HF_TOKEN: 'hf_read\nhf_other' }, {}],
    ['`token`', {}, { token: 'hf_rÄad' }],
    ['The URL of the hub', {}, { hubUrl: 'https://user:hf_secret@hub.example' }],
  ] as const)('%s that cannot be one is not shown', async ([what, env, options], { open, read }) => {
    withEnv(env)
    await expect(read(open('acme/orders', options))).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining(what),
    })
    await expect(read(open('acme/orders', options))).rejects.not.toMatchObject({ message: expect.stringMatching(SECRET) })
  })

  test('a gated data set says what to do: without a token, and with one that has not been let in', async ({
    hub,
    open,
    read,
  }) => {
    hub.put('acme/orders', { 'a.jsonl': FILE }, { gated: 'manual' })
    const page = `${hub.url}/datasets/acme/orders`
    await expect(read(open('acme/orders'))).rejects.toEqual(
      failure("'acme/orders' is gated", `Accept its terms at ${page}`, 'HF_TOKEN'),
    )
    await expect(read(open('acme/orders', { token: 'hf_read' }))).rejects.toEqual(
      failure('is gated', 'has not been let in', page),
    )
  })

  test('a server that repeats the token does not make it public', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.jsonl': FILE })
    hub.fail(INFO, {
      kind: 'status',
      status: 403,
      headers: { 'content-type': 'application/json' },
      body: '{"error":"bad token hf_read"}',
    })
    await expect(read(open('acme/orders', { token: 'hf_read' }))).rejects.toEqual(failure('(403)', 'bad token ***'))
  })
})

describe('what is not there', () => {
  test('a data set: the nearest of its owner', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.jsonl': FILE })
    await expect(read(open('acme/ordres'))).rejects.toEqual(
      failure("no data set 'acme/ordres'", "Did you mean 'acme/orders'?", 'set HF_TOKEN'),
    )
    await expect(read(open('acme/ordres', { token: 'hf_read' }))).rejects.toEqual(
      failure("no data set 'acme/ordres'", 'an account that may read it'),
    )
  })

  test('a hidden data set is as good as none', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.jsonl': FILE }, { isPrivate: true })
    await expect(read(open('acme/orders'))).rejects.toEqual(
      failure("no data set 'acme/orders' that can be seen", 'If it is private, set HF_TOKEN'),
    )
    expect((await read(open('acme/orders', { token: 'hf_read' }))).ids).toEqual(['a'])
  })

  test('a revision: the nearest branch or tag, else those there are', async ({ hub, open, read }) => {
    const commit = hub.put('acme/orders', { 'a.jsonl': FILE })
    hub.repositories.get('acme/orders')?.tags.set('v1.0', commit)
    await expect(read(open('acme/orders', { revision: 'v1.1' }))).rejects.toEqual(
      failure("no revision 'v1.1'", "Did you mean 'v1.0'?"),
    )
    await expect(read(open('acme/orders', { revision: 'experiment' }))).rejects.toEqual(
      failure("no revision 'experiment'", 'It has: main, v1.0.'),
    )
    const gone = '0123456789012345678901234567890123456789'
    await expect(read(open('acme/orders', { revision: gone }))).rejects.toEqual(failure(`no revision '${gone}'`))
  })

  test('a file that the hub lists', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'dir/a b.jsonl': FILE })
    hub.fail(RESOLVE, { kind: 'status', status: 404, headers: { 'x-error-code': 'EntryNotFound' } })
    await expect(read(open('acme/orders'))).rejects.toEqual(failure("lists the file 'dir/a b.jsonl'", '/dir/a%20b.jsonl'))
  })

  test.for(['../../api/whoami-v2', 'a/../../b.jsonl', '/etc/passwd.jsonl', 'a//b.jsonl'])(
    'a file called %s is none',
    async (path, { hub, open, read }) => {
      hub.put('acme/orders', { 'a.jsonl': FILE })
      const body = JSON.stringify([{ type: 'file', path, size: 3, oid: 'a'.repeat(40) }])
      hub.fail(TREE, { kind: 'status', status: 200, headers: { 'content-type': 'application/json' }, body })
      await expect(read(open('acme/orders'))).rejects.toEqual(failure("in a form that is not the hub's"))
    },
  )

  test('a hub', async ({ open, read }) => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const hubUrl = `http://127.0.0.1:${port}`
    await expect(read(open('acme/orders', { hubUrl }))).rejects.toEqual(
      failure(`127.0.0.1:${port} refuses connections`, 'tried 5 times'),
    )
  })

  test.for([
    ['HTML', '<html>Welcome</html>'],
    ['other JSON', '{"sha":"x"}'],
    ['nothing', ''],
  ] as const)('a hub that answers with %s', async ([, body], { hub, open, read }) => {
    hub.put('acme/orders', { 'a.jsonl': FILE })
    hub.fail(INFO, { kind: 'status', status: 200, body })
    await expect(read(open('acme/orders'))).rejects.toEqual(failure("Cannot read the data set 'acme/orders'"))
  })
})

describe('a busy hub', () => {
  test('is asked again when it says so', async ({ hub, open, read, clock }) => {
    hub.put('acme/orders', { 'a.jsonl': FILE })
    hub.fail(INFO, { kind: 'status', status: 429, headers: { 'retry-after': '7' } })
    hub.fail(TREE, { kind: 'status', status: 429, headers: { ratelimit: '"api";r=0;t=9' } })
    expect((await read(open('acme/orders'))).ids).toEqual(['a'])
    expect(clock.waitedMs).toEqual(expect.arrayContaining([7_000, 9_000]))
  })

  test('is not waited for longer than a minute', async ({ hub, open, read, clock }) => {
    hub.put('acme/orders', { 'a.jsonl': FILE })
    hub.fail(INFO, { kind: 'status', status: 429, headers: { 'retry-after': '3600' } }, 9)
    await expect(read(open('acme/orders'))).rejects.toEqual(failure('too many requests (429)', 'asks to wait 60m', 'HF_TOKEN'))
    expect(clock.waitedMs).toEqual([])
  })

  test('nor again and again', async ({ hub, open, read, clock }) => {
    hub.put('acme/orders', { 'a.jsonl': FILE })
    hub.fail(INFO, { kind: 'status', status: 429, headers: { 'retry-after': '25' } }, 99)
    await expect(read(open('acme/orders', { token: 'hf_read' }))).rejects.toEqual(failure('asks to wait 25s'))
    expect(clock.waitedMs).toEqual([25_000, 25_000])
  })

  test('may recover', async ({ hub, open, read, clock }) => {
    hub.put('acme/orders', { 'a.jsonl': FILE })
    hub.fail(INFO, { kind: 'status', status: 503 }, 2)
    hub.fail(RESOLVE, { kind: 'status', status: 502 }, 2)
    expect((await read(open('acme/orders'))).ids).toEqual(['a'])
    expect(clock.waitedMs.filter((ms) => ms < 2_000)).toEqual([500, 1_000, 500, 1_000])
  })

  test('may not', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.jsonl': FILE })
    hub.fail(
      TREE,
      { kind: 'status', status: 500, headers: { 'content-type': 'application/json' }, body: '{"error":"Internal error"}' },
      99,
    )
    await expect(read(open('acme/orders'))).rejects.toEqual(
      failure('the hub answers 500', 'Internal error', '/tree/', 'tried 5 times'),
    )
    expect(hub.takeSeen().filter((line) => TREE.test(line)).length).toBe(5)
  })

  test('may redirect for ever, or to what is no address', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.jsonl': FILE })
    hub.fail(INFO, { kind: 'redirect', to: '/api/datasets/acme/orders/revision/main' }, 6)
    await expect(read(open('acme/orders'))).rejects.toEqual(failure('more than 5 redirects'))
    hub.put('acme/others', { 'a.jsonl': FILE })
    hub.fail(/others.*resolve/, { kind: 'redirect', to: 'file:///etc/passwd' }, 99)
    await expect(read(open('acme/others'))).rejects.toEqual(failure('redirects to what is no web address'))
  })

  test('may have moved the data set', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.jsonl': FILE })
    hub.fail(/old\/revision/, { kind: 'redirect', to: '/api/datasets/acme/orders/revision/main?expand=sha' })
    hub.fail(/old\/tree/, { kind: 'redirect', to: '/api/datasets/acme/orders/tree/main?recursive=true' })
    hub.fail(/old\/resolve/, { kind: 'redirect', to: '/datasets/acme/orders/resolve/main/a.jsonl' })
    expect((await read(open('acme/old'))).ids).toEqual(['a'])
  })
})

test('an abort ends the waiting for a hub', async ({ hub, open, read }) => {
  hub.put('acme/orders', { 'a.jsonl.gz': FILE })
  hub.fail(STORAGE, { kind: 'stall', afterBytes: 10 }, 99)
  const abort = new AbortController()
  const reading = read(open('acme/orders'), { signal: abort.signal, onProgress: () => abort.abort(new Error('enough')) })
  await expect(reading).rejects.toThrow('enough')
})
