import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTraceFiles } from './find-trace-files.ts'

let cwd = ''

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'find-trace-files-'))
  mkdirSync(join(cwd, 'traces/deep'), { recursive: true })
  mkdirSync(join(cwd, 'empty'))
  for (const name of ['b.json', 'a.json', 'B2.json', 'notes.txt', 'deep/c.jsonl', 'odd[1].json'])
    writeFileSync(join(cwd, 'traces', name), '{}')
})

afterAll(() => {
  rmSync(cwd, { recursive: true, force: true })
})

const names = async (...patterns: string[]) => (await findTraceFiles(patterns, cwd)).map((file) => file.name)

test('a glob gives its files in one order on every machine', async () => {
  expect(await names('traces/*.json')).toEqual(['traces/B2.json', 'traces/a.json', 'traces/b.json', 'traces/odd[1].json'])
})

test('a directory is searched to its depths, for trace files only', async () => {
  expect(await names('traces')).toEqual([
    'traces/B2.json',
    'traces/a.json',
    'traces/b.json',
    'traces/deep/c.jsonl',
    'traces/odd[1].json',
  ])
})

test('a file that is named is taken whatever it is called, brackets and all', async () => {
  expect(await names('traces/notes.txt', 'traces/odd[1].json')).toEqual(['traces/notes.txt', 'traces/odd[1].json'])
})

test('a file that several patterns find counts once, at its first place', async () => {
  expect(await names('traces/b.json', 'traces/*.json')).toEqual([
    'traces/b.json',
    'traces/B2.json',
    'traces/a.json',
    'traces/odd[1].json',
  ])
})

test('a file that links lead to counts once, and a link to its own directory ends', async () => {
  const linked = join(cwd, 'linked')
  mkdirSync(join(linked, 'monday'), { recursive: true })
  writeFileSync(join(linked, 'monday/a.json'), '{}')
  symlinkSync(join(linked, 'monday'), join(linked, 'newest'), 'junction')
  symlinkSync(linked, join(linked, 'self'), 'junction')
  expect(await names('linked')).toEqual(['linked/monday/a.json'])
  expect(await names('linked/newest/*.json', 'linked/monday')).toEqual(['linked/newest/a.json'])
})

test('packages are not searched for traces', async () => {
  mkdirSync(join(cwd, 'project/node_modules/pkg'), { recursive: true })
  writeFileSync(join(cwd, 'project/node_modules/pkg/package.json'), '{}')
  writeFileSync(join(cwd, 'project/a.json'), '{}')
  expect(await names('project')).toEqual(['project/a.json'])
})

test('a file outside keeps its whole path', async () => {
  const [file] = await findTraceFiles([join(cwd, 'traces/a.json')], join(cwd, 'empty'))
  expect(file?.name).toBe(join(cwd, 'traces/a.json'))
})

test.each([['traces/*.jsonx'], ['nowhere.json'], ['empty'], ['']])(
  '%j matches nothing: the error says where it looked',
  async (pattern) => {
    await expect(findTraceFiles([pattern === '' ? 'empty/' : pattern], cwd)).rejects.toMatchObject({
      code: 'NO_TRACE_FILES',
      message: expect.stringContaining(cwd),
    })
  },
)
