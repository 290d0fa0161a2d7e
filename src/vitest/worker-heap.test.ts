import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { WORKER_HEAP_ARGS, workerHeapArgs } from './worker-heap.ts'

const OLD = '--initial-old-space-size=128'
const YOUNG = '--max-semi-space-size=4'

test.each(['forks', 'vmForks'])('a process of the pool %s is told when to collect', (pool) => {
  expect(workerHeapArgs(pool, ['--conditions', 'source'])).toEqual([OLD, YOUNG])
  expect(WORKER_HEAP_ARGS).toEqual([OLD, YOUNG])
})

test.each([
  ['--initial-old-space-size=64', [YOUNG]],
  ['--initial_old_space_size=64', [YOUNG]],
  ['--initial-heap-size=64', [YOUNG]],
  ['--max-semi-space-size=64', [OLD]],
  ['--min_semi_space_size=64', [OLD]],
  ['--max-old-space-size=64', [OLD, YOUNG]],
])('beside %s only %j is added', (given, added) => {
  expect(workerHeapArgs('forks', ['--conditions', 'source', given])).toEqual(added)
  expect(workerHeapArgs('forks', [], `--conditions=source ${given}`)).toEqual(added)
})

test.each(['threads', 'vmThreads', 'browser', './a-pool.ts'])('%s are no processes of ours', (pool) => {
  expect(workerHeapArgs(pool, [])).toEqual([])
})

// Vitest would say no more than that its worker could not be started.
test('Node knows the flags', () => {
  const { status, stderr } = spawnSync(process.execPath, [...WORKER_HEAP_ARGS, '--eval', ''], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
