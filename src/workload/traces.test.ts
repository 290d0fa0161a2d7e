import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Warning } from '../base/index.ts'
import { type TracesOptions, traces } from './traces.ts'

let cwd = ''

const span = (id: string, text: string) => ({
  span_id: id,
  trace_id: `trace-${id}`,
  name: 'chat',
  start_time: '2026-01-02T03:04:05Z',
  end_time: '2026-01-02T03:04:06Z',
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: text }]),
    'gen_ai.output.text': 'yes',
  },
})

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'traces-'))
  for (const id of ['a', 'b', 'c'])
    writeFileSync(join(cwd, `${id}.json`), JSON.stringify({ spans: [span(id, `question ${id}`)] }))
  writeFileSync(join(cwd, 'z.broken'), '{"spans": [')
})

afterAll(() => {
  rmSync(cwd, { recursive: true, force: true })
})

async function open(patterns: string | string[], options?: TracesOptions, onInvalidTrace: 'fail' | 'skip' = 'fail') {
  const warnings: Warning[] = []
  const workload = traces(patterns, options)
  const ids: string[] = []
  const context = { cwd, onInvalidTrace, warn: (warning: Warning) => void warnings.push(warning) }
  for await (const graph of workload.open(context)) ids.push(graph.session.id)
  return { ids, warnings, again: () => workload.open(context) }
}

test('each file gives its session, in the order of their names', async () => {
  expect((await open('*.json')).ids).toEqual(['trace-a', 'trace-b', 'trace-c'])
})

test('filter and limit, in this order', async () => {
  const options = { filter: ({ id }: { id: string }) => id !== 'trace-a', limit: 1 }
  expect((await open('*.json', options)).ids).toEqual(['trace-b'])
})

test('sessionBy forms other sessions', async () => {
  expect((await open('*.json', { sessionBy: () => 'all' })).ids).toEqual(['all'])
})

test('the second pass costs no reading and gives the very same graphs', async () => {
  const { again } = await open('*.json')
  const passes = []
  for (let pass = 0; pass < 2; pass++) {
    const graphs = []
    for await (const graph of again()) graphs.push(graph)
    passes.push(graphs)
  }
  expect(passes[1]?.[0]).toBe(passes[0]?.[0])
})

test('a broken file ends the reading, or under skip is left out and named', async () => {
  await expect(open(['*.json', 'z.broken'])).rejects.toMatchObject({
    code: 'UNREADABLE_TRACE',
    message: expect.stringContaining('z.broken'),
  })
  const { ids, warnings } = await open(['*.json', 'z.broken'], {}, 'skip')
  expect(ids).toHaveLength(3)
  expect(warnings).toMatchObject([{ code: 'unreadable-trace-skipped', where: 'z.broken' }])
})

test.each([
  [{ limits: 3 }, 'Did you mean `limit`?'],
  [{ limit: 0 }, '`limit` is 0'],
  [{ filter: 'x' }, '`filter`'],
])('options %j are refused: %s', (options, message) => {
  expect(() => traces('*.json', options as TracesOptions)).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(message) }),
  )
})

test.each([[[]], [''], [7]])('patterns %j are refused', (patterns) => {
  expect(() => traces(patterns as string[])).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
})
