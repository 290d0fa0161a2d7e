import { expect, test } from 'vitest'
import { drawInteger, drawOne, mix, seededRandom } from './random.ts'

test('the same seeds give the same sequence, others another', () => {
  const take = (...seeds: number[]) => {
    const random = seededRandom(...seeds)
    return Array.from({ length: 5 }, () => random())
  }
  expect(take(1, 2)).toEqual(take(1, 2))
  expect(take(1, 2)).not.toEqual(take(2, 1))
  expect(take(0)).not.toEqual(take(0, 0))
})

test('values are spread evenly over [0, 1)', () => {
  const random = seededRandom(42)
  const tenths = new Array<number>(10).fill(0)
  for (let i = 0; i < 100_000; i++) {
    const tenth = Math.floor(random() * 10)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }
  for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(500)
})

test('whole numbers take both bounds', () => {
  const random = seededRandom(1)
  const drawn = new Set(Array.from({ length: 200 }, () => drawInteger(random, 3, 5)))
  expect([...drawn].sort()).toEqual([3, 4, 5])
})

test('every item can be drawn', () => {
  const random = seededRandom(1)
  expect(new Set(Array.from({ length: 200 }, () => drawOne(random, ['a', 'b', 'c']))).size).toBe(3)
})

test('different values mixed into a hash give different hashes', () => {
  expect(new Set(Array.from({ length: 100_000 }, (_, i) => mix(7, i))).size).toBe(100_000)
})
