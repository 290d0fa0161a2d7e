import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { endWithParent } from './end-with-parent.ts'

test('a worker ends when its Vitest is gone, told once however many files it runs', () => {
  const codes: number[] = []
  const worker = Object.assign(new EventEmitter(), { exit: (code: number) => codes.push(code) })
  for (let file = 0; file < 3; file++) endWithParent(worker)
  expect([codes, worker.listenerCount('disconnect')]).toEqual([[], 1])
  worker.emit('disconnect')
  expect(codes).toEqual([1])
})
