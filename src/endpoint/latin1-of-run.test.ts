import { expect, test } from 'vitest'
import { latin1OfRun } from './latin1-of-run.ts'

const memory = Buffer.from('5\r\nfirst\r\n6\r\nsecond\r\n')
const first = memory.subarray(3, 8)
const second = memory.subarray(13, 19)

test('chunks of one read are one string, in which each stands as far from the first as its bytes do', () => {
  const run = latin1OfRun([first, second])
  expect(run).toBe('first\r\n6\r\nsecond')
  expect(run?.slice(second.byteOffset - first.byteOffset)).toBe('second')
})

test('one chunk is its own string, each byte the character of its number', () => {
  expect(latin1OfRun([second])).toBe('second')
  expect(latin1OfRun([Buffer.from([0x80, 0xff, 0x00])])).toBe('\u0080\u00ff\u0000')
})

test.each([
  ['none', []],
  ['of two pieces of memory', [first, Buffer.alloc(6, 'second')]],
  ['in the other order', [second, first]],
  ['longer than any read', [Buffer.alloc(256 * 1024 + 1)]],
])('chunks that do not lie in one run have none: %s', (_name, chunks) => {
  expect(latin1OfRun(chunks)).toBeUndefined()
})

test('what other sockets have read between two reads of one is not made a string', () => {
  const shared = Buffer.alloc(64 * 1024, 'x')
  expect(latin1OfRun([shared.subarray(0, 5), shared.subarray(60_000, 60_005)])).toBeUndefined()
})
