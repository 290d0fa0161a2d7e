import { expect, test } from 'vitest'
import { drawInteger, seededRandom } from '../base/index.ts'
import { PrefixCache } from './prefix-cache.ts'

test('knows the leading blocks up to the first it does not', () => {
  const cache = new PrefixCache(10)
  cache.add([1, 2, 3])
  expect(cache.match([1, 2, 3, 4])).toBe(3)
  expect(cache.match([1, 9, 3])).toBe(1)
  expect(cache.match([9, 2, 3])).toBe(0)
})

test('lets go of the least recently used first', () => {
  const cache = new PrefixCache(4)
  cache.add([1, 2])
  cache.add([3, 4])
  cache.add([1, 2])
  cache.add([5, 6])
  expect([cache.match([1, 2]), cache.match([3, 4]), cache.match([5, 6])]).toEqual([2, 0, 2])
})

test('lets go of a continuation before its prefix', () => {
  const cache = new PrefixCache(4)
  cache.add([1, 2, 3])
  cache.add([8, 9])
  expect(cache.match([1, 2, 3])).toBe(2)
})

test('keeps the head of what is longer than itself', () => {
  const cache = new PrefixCache(3)
  cache.add([1, 2, 3, 4, 5])
  expect(cache.match([1, 2, 3, 4, 5])).toBe(3)
  expect(cache.size).toBe(3)
})

test('without capacity knows nothing', () => {
  const cache = new PrefixCache(0)
  cache.add([1])
  expect(cache.match([1])).toBe(0)
})

test('does what a plain list in order of use does', () => {
  const random = seededRandom(9)
  const cache = new PrefixCache(1_500)
  let expected: number[] = []
  for (let round = 0; round < 150; round++) {
    // Chains with common heads; block numbers are far apart, and many share their low bits.
    const chain = Array.from(
      { length: drawInteger(random, 1, 60) },
      (_, i) => (i < 20 ? round % 7 : round) * 2 ** 33 + i * 2 ** (round % 3),
    )
    const firstUnknown = chain.findIndex((block) => !expected.includes(block))
    expect(cache.match(chain)).toBe(firstUnknown < 0 ? chain.length : firstUnknown)
    cache.add(chain)
    expected = [...expected.filter((block) => !chain.includes(block)), ...chain.toReversed()].slice(-1_500)
    expect(cache.size).toBe(expected.length)
  }
  expect(expected.every((block) => cache.match([block]) === 1)).toBe(true)
})
