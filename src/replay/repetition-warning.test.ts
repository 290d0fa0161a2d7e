import { expect, test } from 'vitest'
import { repetitionWarning } from './repetition-warning.ts'

const once = [
  { id: 'x', recorded: 'x' },
  { id: 'y', recorded: 'y' },
]

test('counts the recorded sessions behind those that ran', () => {
  expect(repetitionWarning([...once, { id: 'x#2', recorded: 'x' }], 'duplicates')).toEqual({
    code: 'workload-repeated',
    message:
      '3 sessions were replayed from 2 recorded ones. Repetitions carry a marker that keeps them apart in the prefix cache of the server.',
  })
})

test('says where repetitions find their own prompts in the cache', () => {
  expect(repetitionWarning([...once, { id: 'x#2', recorded: 'x' }], 'none')?.message).toContain('share the prefix cache')
})

test('is silent where no session ran twice', () => {
  expect(repetitionWarning(once, 'duplicates')).toBeUndefined()
  expect(repetitionWarning([], 'duplicates')).toBeUndefined()
})
