import { expect, test } from 'vitest'
import type { Warning } from '../base/index.ts'
import { Corpus, type IsolateCache } from './corpus.ts'
import { singleCall, workloadOf } from './workload.fixture.ts'

function corpusOf(ids: readonly string[], isolate: IsolateCache = 'duplicates', warnings: Warning[] = []) {
  const context = { cwd: '.', onInvalidTrace: 'fail', warn: (warning: Warning) => void warnings.push(warning) } as const
  return new Corpus(workloadOf(ids.map((id) => singleCall(id))), context, isolate)
}

async function draw(corpus: Corpus, count: number, repeat = true) {
  const drawn = []
  for (let i = 0; i < count; i++) drawn.push(await corpus.draw({ repeat }))
  return drawn
}

test('repeats the workload under numbered names', async () => {
  const drawn = await draw(corpusOf(['x', 'y']), 5)
  expect(drawn.map((session) => session?.id)).toEqual(['x', 'y', 'x#2', 'y#2', 'x#3'])
})

test('no repetition is called as another session was recorded', async () => {
  const drawn = await draw(corpusOf(['x', 'x#2', 'x#3#']), 9)
  const ids = drawn.map((session) => session?.id)
  expect(ids).toEqual(['x', 'x#2', 'x#3#', 'x#2#', 'x#2#2', 'x#3##2', 'x#3', 'x#2#3', 'x#3##3'])
  expect(new Set(ids).size).toBe(9)
})

test('ends after one pass where it may not repeat, and begins anew when asked again', async () => {
  const drawn = await draw(corpusOf(['x', 'y']), 4, false)
  expect(drawn.map((session) => session?.id)).toEqual(['x', 'y', undefined, 'x#2'])
})

test.each([
  ['duplicates', [false, true]],
  ['all', [true, true]],
  ['none', [false, false]],
] as const)('isolateCache %s marks the right ones', async (isolate, marked) => {
  const drawn = await draw(corpusOf(['x'], isolate), 2)
  expect(drawn.map((session) => session?.marker)).toEqual(drawn.map((session, k) => (marked[k] ? `[${session?.id}]\n` : '')))
})

test('repetitions share the recorded session: thousands of them may be in flight', async () => {
  const recorded = singleCall('x')
  const context = { cwd: '.', onInvalidTrace: 'fail', warn() {} } as const
  const drawn = await draw(new Corpus(workloadOf([recorded]), context, 'all'), 3)
  expect(new Set(drawn.map((session) => session?.marker)).size).toBe(3)
  for (const session of drawn) expect(session?.graph).toBe(recorded)
})

test('sessions that were put back come first', async () => {
  const corpus = corpusOf(['x', 'y', 'z'])
  const [, y, z] = await draw(corpus, 3)
  if (y === undefined || z === undefined) throw new Error('too few')
  corpus.putBack([y, z])
  expect((await draw(corpus, 3)).map((session) => session?.id)).toEqual(['y', 'z', 'x#2'])
})

test('the hash names the recorded sessions, not how often they were replayed', async () => {
  const once = corpusOf(['x', 'y'])
  const thrice = corpusOf(['x', 'y'])
  const other = corpusOf(['x', 'z'])
  await draw(once, 2)
  await draw(thrice, 6)
  await draw(other, 2)
  expect(thrice.hash()).toBe(once.hash())
  expect(other.hash()).not.toBe(once.hash())
})

test('warnings of a workload are said once, not once a pass', async () => {
  const warnings: Warning[] = []
  await draw(corpusOf(['x'], 'none', warnings), 3)
  expect(warnings).toHaveLength(1)
})

test('an empty workload is an error, not an endless search', async () => {
  await expect(corpusOf([]).draw({ repeat: true })).rejects.toMatchObject({
    code: 'EMPTY_WORKLOAD',
    message: expect.stringContaining("'listed'"),
  })
})
