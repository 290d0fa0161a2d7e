import { expect, test } from 'vitest'
import { readRuns } from './runs.ts'

function read(bytes: readonly number[], width: number, count: number): number[] {
  const output = new Int32Array(count)
  readRuns(Uint8Array.from(bytes), width, output)
  return [...output]
}

test('a run of one value', () => {
  expect(read([10 << 1, 3], 2, 10)).toEqual(new Array(10).fill(3))
})

test('a packed stretch, least significant bits first', () => {
  // 0…7 in three bits each.
  expect(read([(1 << 1) | 1, 0b10001000, 0b11000110, 0b11111010], 3, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test('both, with values of several bytes', () => {
  const packed = [0x01, 0x00, 0x01, 0xff, 0xff, 0xff]
  const padding = new Array(18).fill(0)
  expect(read([2 << 1, 0x39, 0x30, 0x00, (1 << 1) | 1, ...packed, ...padding], 24, 4)).toEqual([
    0x3039, 0x3039, 0x010001, 0xffffff,
  ])
})

test('no bits: all the same', () => {
  expect(read([], 0, 3)).toEqual([0, 0, 0])
})

test('a run that claims two thousand million values fills what there is room for', () => {
  expect(read([0xfe, 0xff, 0xff, 0xff, 0x0f, 1], 1, 5)).toEqual([1, 1, 1, 1, 1])
})

test('so does a stretch that claims as many', () => {
  expect(read([0xff, 0xff, 0xff, 0xff, 0x0f, 0b10101], 1, 5)).toEqual([1, 0, 1, 0, 1])
})

test.each([
  ['nothing', []],
  ['a count that does not end', [0x80, 0x80, 0x80, 0x80, 0x80, 0x80]],
  ['runs of nothing for ever', [0, 0, 0, 0]],
])('%s is an error', (_, bytes) => {
  expect(() => read(bytes, 1, 5)).toThrow('ends too early')
})
