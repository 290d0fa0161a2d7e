import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { WORKER_HEAP_ARGS, workerHeapArgs } from './worker-heap.ts'

const OTHERS = ['--conditions', 'source', '--max-old-space-size=4096']

test.each(['forks', 'vmForks'])('a process of the pool %s is told how large its heap may grow', (pool) => {
  expect(workerHeapArgs(pool, OTHERS)).toEqual(WORKER_HEAP_ARGS)
})

test.each(['--initial-old-space-size=64', '--initial_old_space_size=64', '--initial-heap-size=64'])(
  '%s stands, and nothing is added',
  (given) => {
    expect(workerHeapArgs('forks', [...OTHERS, given])).toEqual([])
  },
)

test.each(['threads', 'vmThreads', 'browser', './a-pool.ts'])('%s are no processes of ours', (pool) => {
  expect(workerHeapArgs(pool, OTHERS)).toEqual([])
})

// Vitest would say no more than that its worker could not be started.
test('Node knows the flag', () => {
  const { status, stderr } = spawnSync(process.execPath, [...WORKER_HEAP_ARGS, '--eval', ''], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
