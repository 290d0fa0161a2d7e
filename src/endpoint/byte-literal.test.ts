import { expect, test } from 'vitest'
import { ByteLiteral } from './byte-literal.ts'
import { type ChunkMemory, memoryOf } from './memory-of-chunks.ts'

/** Memory of its own, in which the bytes stand at `at` with others all around. */
function around(bytes: Uint8Array, at: number): ChunkMemory {
  const memory = Buffer.alloc(at + bytes.length + 16, 'x')
  memory.set(bytes, at)
  return memoryOf(memory)
}

test('bytes of any length are found wherever they stand, and a difference in any of them is seen', () => {
  for (let length = 1; length <= 40; length++) {
    const bytes = Buffer.from(Array.from({ length }, (_, index) => 33 + ((index * 7 + length) % 80)))
    const literal = ByteLiteral.of(bytes)
    for (let at = 0; at < 9; at++) {
      const memory = around(bytes, at)
      expect(literal.behind(memory, at, at + length)).toBe(at + length)
      for (let changed = 0; changed < length; changed++) {
        memory.bytes[at + changed] = (bytes[changed] ?? 0) ^ 1
        expect(literal.behind(memory, at, at + length), `byte ${changed} of ${length}`).toBe(-1)
        memory.bytes[at + changed] = bytes[changed] ?? 0
      }
    }
  }
})

test('bytes that go beyond the limit are not found, nor looked at behind the end of the memory', () => {
  const literal = ByteLiteral.ofLatin1('data: [DONE]\n\n')
  const memory = memoryOf(Buffer.alloc(20, 'xdata: [DONE]\n\n'))
  expect(literal.behind(memory, 1, 15)).toBe(15)
  expect(literal.behind(memory, 1, 14)).toBe(-1)
  expect(literal.behind(memory, 16, 20)).toBe(-1)
})

test.each([
  ['a zero, which as a number has two forms', [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0x80]],
  [
    'bytes that are no number',
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
    [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
  ],
])('what only looks equal as a number is not taken for equal: %s', (_name, bytes, other) => {
  const memory = around(Uint8Array.from(other), 3)
  expect(ByteLiteral.of(Uint8Array.from(bytes)).behind(memory, 3, 3 + other.length)).toBe(-1)
  const copy = ByteLiteral.copy(around(Uint8Array.from(bytes), 1), 1, 1 + bytes.length)
  expect(copy.behind(memory, 3, 3 + other.length)).toBe(-1)
})

test('a copy stays what it was when its memory is used again', () => {
  const memory = around(Buffer.from('before the text'), 4)
  const copy = ByteLiteral.copy(memory, 4, 14)
  memory.bytes.fill('z')
  expect(copy.behind(memory, 4, 14)).toBe(-1)
  memory.bytes.write('before the', 4)
  expect(copy.behind(memory, 4, 14)).toBe(14)
})

test('copies do not touch each other, however many and however long they are', () => {
  const texts = Array.from({ length: 300 }, (_, index) => Buffer.alloc([7, 250, 1, 20_000][index % 4] ?? 0, `${index},`))
  const copies = texts.map((text) => ByteLiteral.copy(around(text, 2), 2, 2 + text.length))
  for (const [index, text] of texts.entries())
    expect(copies[index]?.behind(around(text, 5), 5, 5 + text.length)).toBe(5 + text.length)
})
