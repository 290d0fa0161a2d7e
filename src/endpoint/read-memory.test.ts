import { expect, test } from 'vitest'
import { readIntoSharedMemory } from './read-memory.ts'

/** A socket that has read. */
function read(socket: ReturnType<typeof readIntoSharedMemory>, bytes: Buffer): unknown {
  const { buffer } = socket
  if (typeof buffer === 'function') throw new Error('Memory is given, not made.')
  buffer.set(bytes)
  return socket.callback(bytes.length, buffer)
}

test('what a read has brought stays as it was, whatever other sockets read', () => {
  const seen: Buffer[][] = [[], [], []]
  const sockets = seen.map((list) => readIntoSharedMemory((bytes) => list.push(bytes) > 0))
  const sent = Array.from({ length: 300 }, (_, index) =>
    Buffer.alloc([1, 511, 5_001, 65_536, 512, 513, 203][index % 7] ?? 0, index % 251),
  )
  for (const [index, bytes] of sent.entries()) {
    const socket = sockets[index % 3]
    if (socket !== undefined) read(socket, bytes)
  }
  for (const [index, list] of seen.entries()) {
    expect(Buffer.concat(list).equals(Buffer.concat(sent.filter((_, at) => at % 3 === index)))).toBe(true)
  }
})

test('a stream that wants no more is told on', () => {
  expect(
    read(
      readIntoSharedMemory(() => false),
      Buffer.from('a'),
    ),
  ).toBe(false)
  expect(
    read(
      readIntoSharedMemory(() => true),
      Buffer.from('a'),
    ),
  ).toBe(true)
})
