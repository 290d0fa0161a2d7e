import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { pour } from './pour.ts'

function collector() {
  const written: string[] = []
  return { written, write: async (bytes: Buffer) => void written.push(bytes.toString()) }
}

test('writes the pieces in their order', async () => {
  const stream = new PassThrough()
  const { written, write } = collector()
  const done = pour(stream, write)
  for (const piece of ['a', 'b', 'c']) stream.write(piece)
  stream.end()
  await done
  expect(written.join('')).toBe('abc')
})

test('writes what arrived before the stream broke off', async () => {
  const stream = new PassThrough()
  const { written, write } = collector()
  const done = pour(stream, write)
  stream.on('data', () => stream.destroy(new Error('cut')))
  stream.write('arrived')
  await expect(done).rejects.toThrow('cut')
  expect(written).toEqual(['arrived'])
})

test('a stream waits for a slow disk', async () => {
  const stream = new PassThrough({ highWaterMark: 16 })
  let release = () => {}
  const disk = new Promise<void>((resolve) => {
    release = resolve
  })
  let bytesWritten = 0
  const done = pour(stream, async (bytes) => {
    await disk
    bytesWritten += bytes.length
  })
  const piece = Buffer.alloc(1024 * 1024)
  for (let i = 0; i < 8; i++) stream.write(piece)
  await new Promise((resolve) => setImmediate(resolve))
  expect(stream.isPaused()).toBe(true)
  release()
  stream.end()
  await done
  expect(bytesWritten).toBe(8 * piece.length)
})

test('a write that fails is what went wrong', async () => {
  const stream = new PassThrough()
  const done = pour(stream, () => Promise.reject(new Error('full')))
  stream.end('a')
  await expect(done).rejects.toThrow('full')
})
