import { existsSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { sha256 } from '../local-hub/repositories.fixture.ts'
import { sessionRow, sessionRows } from '../session-row.fixture.ts'
import { sessionTable } from '../session-table.fixture.ts'
import { TEST_TIMING, test, withEnv } from '../with-hub.fixture.ts'

const TABLE = Buffer.from(sessionTable(sessionRows(4), { codec: 'UNCOMPRESSED' }))
const IDS = ['order-1', 'order-2', 'order-3', 'order-4']
const STORAGE = /^storage GET/
const ETAG = `"${sha256(TABLE).slice(0, 32)}"`

function blobsIn(directory: string): string {
  const cache = join(directory, 'cache')
  const [host = ''] = readdirSync(cache)
  return join(cache, host, 'datasets--acme--orders', 'blobs')
}

describe('what was fetched', () => {
  test('is not fetched again', async ({ hub, open, read }) => {
    const commit = hub.put('acme/orders', { 'a.parquet': TABLE, 'b.parquet': sessionTable([sessionRow('b')]) })
    await read(open('acme/orders'))
    hub.takeSeen()
    expect((await read(open('acme/orders'))).ids).toEqual([...IDS, 'b'])
    expect(hub.takeSeen()).toEqual([expect.stringContaining('/revision/main')])
    expect((await read(open('acme/orders', { revision: commit }))).ids).toEqual([...IDS, 'b'])
    expect(hub.takeSeen()).toEqual([])
  })

  test('serves other revisions too, where they have the same files', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    await read(open('acme/orders'))
    hub.put('acme/orders', { 'renamed.parquet': TABLE, 'b.parquet': sessionTable([sessionRow('b')]) })
    hub.takeSeen()
    await read(open('acme/orders'))
    expect(hub.takeSeen().filter((line) => STORAGE.test(line)).length).toBe(1)
  })

  test('is enough when nothing may be fetched', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    await read(open('acme/orders'))
    hub.takeSeen()
    expect((await read(open('acme/orders', { offline: true }))).ids).toEqual(IDS)
    withEnv({ HF_HUB_OFFLINE: '1' })
    expect((await read(open('acme/orders'))).ids).toEqual(IDS)
    expect(hub.takeSeen()).toEqual([])
  })

  test('is fetched again when it is not whole', async ({ hub, directory, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    await read(open('acme/orders'))
    const [blob = ''] = readdirSync(blobsIn(directory))
    truncateSync(join(blobsIn(directory), blob), 100)
    expect((await read(open('acme/orders'))).ids).toEqual(IDS)
  })

  test('lies in files whose names no hub has a say in', async ({ hub, directory, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE, 'odd name|?.jsonl': JSON.stringify(sessionRow('b')) })
    await read(open('acme/orders', { files: ['*.parquet', '*.jsonl'] }))
    expect(readdirSync(blobsIn(directory)).every((name) => /^(?:sha256-[0-9a-f]{64}|git-sha1-[0-9a-f]{40})$/.test(name))).toBe(
      true,
    )
  })
})

describe('offline', () => {
  test('a data set that was never fetched', async ({ hub, directory, open, read }) => {
    await expect(read(open('acme/orders', { offline: true }))).rejects.toMatchObject({
      code: 'HUB',
      message: `The revision 'main' of the data set 'acme/orders' is not in the cache at ${join(directory, 'cache')}, and nothing may be fetched: \`offline\` or HF_HUB_OFFLINE is set. Run once without it.`,
    })
    expect(hub.takeSeen()).toEqual([])
  })

  test('a file that was never reached', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE, 'b.parquet': sessionTable([sessionRow('b')]) })
    await read(open('acme/orders', { limit: 1 }))
    await expect(read(open('acme/orders', { offline: true }))).rejects.toThrow("The file 'b.parquet' of commit")
  })

  test('a cache that was damaged is no cache', async ({ hub, directory, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    await read(open('acme/orders'))
    const refs = join(blobsIn(directory), '..', 'refs')
    for (const name of readdirSync(refs)) writeFileSync(join(refs, name), '{"commit":"../../etc"}')
    await expect(read(open('acme/orders', { offline: true }))).rejects.toThrow('is not in the cache')
    expect((await read(open('acme/orders'))).ids).toEqual(IDS)
  })
})

describe('a download', () => {
  /** The ranges that storage was asked for. */
  const ranges = (hub: { seen: readonly { server: string; headers: Record<string, unknown> }[] }) =>
    hub.seen.filter(({ server }) => server === 'storage').map(({ headers }) => [headers.range, headers['if-range']])

  test.for(['cut', 'stall'] as const)('that is %s goes on where it stopped', async (kind, { hub, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    hub.fail(STORAGE, { kind, afterBytes: 3_000 })
    expect((await read(open('acme/orders'))).ids).toEqual(IDS)
    expect(ranges(hub)).toEqual([
      [undefined, undefined],
      ['bytes=3000-', ETAG],
    ])
  })

  test('does not run out of attempts while it comes further', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    hub.fail(STORAGE, { kind: 'cut', afterBytes: Math.ceil(TABLE.length / 12) }, 11)
    expect((await read(open('acme/orders'))).ids).toEqual(IDS)
  })

  test('does when it does not', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    hub.fail(STORAGE, { kind: 'cut', afterBytes: 0 }, 99)
    await expect(read(open('acme/orders'))).rejects.toMatchObject({
      code: 'HUB',
      message: expect.stringMatching(
        /^Cannot fetch 'a\.parquet' of the data set 'acme\/orders': .* closed the connection in the middle of its answer\. .*\/objects\/[0-9a-f]+, tried 5 times\)$/,
      ),
    })
    expect(ranges(hub).length).toBe(5)
  })

  test('that stalls for good ends', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    hub.fail(STORAGE, { kind: 'stall', afterBytes: 0 }, 99)
    await expect(read(open('acme/orders', {}, { ...TEST_TIMING, attempts: 2 }))).rejects.toThrow(
      'stopped sending in the middle of its answer',
    )
  })

  test('that broke off with its process is taken up by the next', async ({ hub, directory, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    hub.fail(STORAGE, { kind: 'cut', afterBytes: 3_000 })
    hub.fail(STORAGE, { kind: 'status', status: 403 })
    await expect(read(open('acme/orders'))).rejects.toThrow()
    expect(readdirSync(blobsIn(directory)).toSorted()).toEqual([
      expect.stringMatching(/\.etag$/),
      expect.stringMatching(/\.part$/),
    ])
    hub.seen.length = 0
    expect((await read(open('acme/orders'))).ids).toEqual(IDS)
    expect(ranges(hub)).toEqual([['bytes=3000-', ETAG]])
    expect(readdirSync(blobsIn(directory))).toEqual([`sha256-${sha256(TABLE)}`])
  })

  test('begins anew where the storage does not send parts', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    hub.fail(STORAGE, { kind: 'cut', afterBytes: 3_000 })
    hub.fail(STORAGE, { kind: 'ignore-range' })
    expect((await read(open('acme/orders'))).ids).toEqual(IDS)
  })

  test('that always begins anew and always breaks off ends', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    hub.fail(STORAGE, { kind: 'cut', afterBytes: 3_000, ignoreRange: true }, 99)
    await expect(read(open('acme/orders'))).rejects.toThrow('closed the connection')
    expect(ranges(hub).length).toBeLessThanOrEqual(6)
  })

  test('begins anew when what was there is not a part of the file', async ({ hub, directory, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    await read(open('acme/orders'))
    const blobs = blobsIn(directory)
    const [blob = ''] = readdirSync(blobs)
    truncateSync(join(blobs, blob), 0)
    writeFileSync(join(blobs, `${blob}.part`), 'x'.repeat(TABLE.length - 10))
    hub.seen.length = 0
    expect((await read(open('acme/orders'))).ids).toEqual(IDS)
    expect(ranges(hub)).toEqual([
      [`bytes=${TABLE.length - 10}-`, undefined],
      [undefined, undefined],
    ])
  })

  test.for([
    ['other bytes', { kind: 'garble' }, 'its sha256 is'],
    ['too few bytes', { kind: 'status', status: 200, body: 'short' }, `it sends 5 bytes, the hub lists ${TABLE.length}`],
    [
      'too many',
      {
        kind: 'status',
        status: 200,
        headers: { 'transfer-encoding': 'chunked' },
        body: 'x'.repeat(TABLE.length + 1),
      },
      'it sends more than',
    ],
    [
      'another part',
      { kind: 'status', status: 206, headers: { 'content-range': 'bytes 7-9/10' }, body: 'abc' },
      'another part of the file',
    ],
  ] as const)('of %s is refused', async ([, fault, message], { hub, directory, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    hub.fail(STORAGE, fault, 99)
    await expect(read(open('acme/orders'))).rejects.toMatchObject({ code: 'HUB', message: expect.stringContaining(message) })
    expect(existsSync(join(blobsIn(directory), `sha256-${sha256(TABLE)}`))).toBe(false)
  })

  test('of a file in git is held against its hash too', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.jsonl': JSON.stringify(sessionRow('a')) })
    hub.fail(/resolve/, { kind: 'garble' })
    await expect(read(open('acme/orders'))).rejects.toThrow('what it sends is not the file: its git-sha1 is')
    expect((await read(open('acme/orders'))).ids).toEqual(['a'])
  })

  test('of an empty file is none', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.jsonl': '', 'b.jsonl': JSON.stringify(sessionRow('b')) })
    expect((await read(open('acme/orders'))).ids).toEqual(['b'])
  })

  test('tells how far it is', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    const { progress } = await read(open('acme/orders'))
    expect(progress.at(-1)).toEqual({
      dataset: 'acme/orders',
      file: 'a.parquet',
      doneBytes: TABLE.length,
      totalBytes: TABLE.length,
    })
  })

  test('in the middle of a run is warned of', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE, 'b.parquet': sessionTable([sessionRow('b')]) })
    const { warnings } = await read(open('acme/orders'))
    expect(warnings).toMatchObject([{ code: 'fetched-during-run', where: 'acme/orders/b.parquet' }])
    expect((await read(open('acme/orders'))).warnings).toEqual([])
  })

  test('is made once by all who want the file at the same time', async ({ hub, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    const all = await Promise.all(Array.from({ length: 6 }, () => read(open('acme/orders'))))
    expect(all.map(({ ids }) => ids)).toEqual(all.map(() => IDS))
    expect(ranges(hub).length).toBe(1)
  })
})

describe('the disk', () => {
  test('a cache that is a file', async ({ hub, directory, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    writeFileSync(join(directory, 'cache'), '')
    await expect(read(open('acme/orders'))).rejects.toMatchObject({
      code: 'HUB',
      message: expect.stringContaining('a part of that path is a file. Set `cacheDir`'),
    })
  })

  // Linux has a device that is always full.
  test.skipIf(!existsSync('/dev/full'))('a full one', async ({ hub, directory, open, read }) => {
    hub.put('acme/orders', { 'a.parquet': TABLE })
    await expect(read(open('acme/orders', { files: 'nothing' }))).rejects.toThrow('matches')
    const blobs = blobsIn(directory)
    mkdirSync(blobs)
    symlinkSync('/dev/full', join(blobs, `sha256-${sha256(TABLE)}.part`))
    await expect(read(open('acme/orders'))).rejects.toMatchObject({
      code: 'HUB',
      message: expect.stringContaining('the disk is full. Free some space, or set `cacheDir`'),
    })
  })
})
