import { expect, test } from 'vitest'
import { PrefixCache } from './prefix-cache.ts'

test('knows the leading blocks up to the first it does not', () => {
  const cache = new PrefixCache(10)
  cache.add([1, 2, 3])
  expect(cache.use([1, 2, 3, 4])).toBe(3)
  expect(cache.use([1, 9, 3])).toBe(1)
  expect(cache.use([9, 2, 3])).toBe(0)
})

test('lets go of the least recently used first', () => {
  const cache = new PrefixCache(4)
  cache.add([1, 2])
  cache.add([3, 4])
  cache.use([1, 2])
  cache.add([5, 6])
  expect([cache.use([1, 2]), cache.use([3, 4]), cache.use([5, 6])]).toEqual([2, 0, 2])
})

test('lets go of a continuation before its prefix', () => {
  const cache = new PrefixCache(4)
  cache.add([1, 2, 3])
  cache.add([8, 9])
  expect(cache.use([1, 2, 3])).toBe(2)
})

test('keeps the head of what is longer than itself', () => {
  const cache = new PrefixCache(3)
  cache.add([1, 2, 3, 4, 5])
  expect(cache.use([1, 2, 3, 4, 5])).toBe(3)
  expect(cache.size).toBe(3)
})

test('without capacity knows nothing', () => {
  const cache = new PrefixCache(0)
  cache.add([1])
  expect(cache.use([1])).toBe(0)
})
