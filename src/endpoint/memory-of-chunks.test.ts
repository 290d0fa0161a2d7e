import { expect, test } from 'vitest'
import { memoryOf } from './memory-of-chunks.ts'

test('a chunk stands in its memory at its own place, whichever memory was looked at before', () => {
  const slab = Buffer.alloc(64, 'abcdefgh')
  const chunks = [slab.subarray(8, 16), slab.subarray(3, 5), Buffer.from('of a pool'), Buffer.alloc(0), slab.subarray(60)]
  for (const chunk of [...chunks, ...chunks]) {
    const { bytes, view } = memoryOf(chunk)
    expect(bytes.subarray(chunk.byteOffset, chunk.byteOffset + chunk.length)).toEqual(chunk)
    expect(view.byteLength).toBe(bytes.length)
    if (chunk.length > 0) expect(view.getUint8(chunk.byteOffset)).toBe(chunk[0])
  }
})

test('of two chunks in one memory, the second finds it made', () => {
  const slab = Buffer.alloc(64)
  expect(memoryOf(slab.subarray(5, 10))).toBe(memoryOf(slab.subarray(30)))
})
