import { expect, test } from 'vitest'
import { GrowingTimes } from './growing-times.ts'

test('lists that grow side by side hold what was added to each', () => {
  const lengths = [0, 1, 31, 32, 33, 64, 65, 1_000, 20_000]
  const lists = lengths.map(() => new GrowingTimes())
  for (let index = 0; index < 20_000; index++) {
    for (const [which, list] of lists.entries()) if (index < (lengths[which] ?? 0)) list.add(which * 1e6 + index + 0.25)
  }
  for (const [which, list] of lists.entries()) {
    const times = Array.from({ length: lengths[which] ?? 0 }, (_, index) => which * 1e6 + index + 0.25)
    expect(list.length).toBe(times.length)
    expect(list.toArray()).toEqual(times)
  }
})

test('an array that was taken stays as it is while the list grows', () => {
  const list = new GrowingTimes()
  list.add(1)
  const taken = list.toArray()
  for (let time = 2; time < 100; time++) list.add(time)
  expect(taken).toEqual([1])
})
