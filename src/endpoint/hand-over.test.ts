import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { handOver } from './hand-over.ts'

function openStream() {
  const stream = new Readable({ read() {} })
  return { stream, hand: handOver(stream) }
}

/** As a parser of HTTP reads a socket. */
function readWhatIsThere(stream: Readable, into: string[]): void {
  for (let bytes = stream.read(); bytes !== null; bytes = stream.read()) into.push(String(bytes))
}

test('a reader has the bytes before they are handed on, and they are not kept', () => {
  const { stream, hand } = openStream()
  const seen: string[] = []
  stream.on('readable', () => readWhatIsThere(stream, seen))
  for (const text of ['a', 'b', 'c']) {
    expect(hand(Buffer.from(text))).toBe(true)
    expect(seen.at(-1)).toBe(text)
    expect(stream.readableLength).toBe(0)
  }
  expect(seen).toEqual(['a', 'b', 'c'])
})

test('bytes that the reader leaves are kept, and come before later ones', async () => {
  const { stream, hand } = openStream()
  const seen: string[] = []
  let isPaused = true
  stream.on('readable', () => {
    if (!isPaused) readWhatIsThere(stream, seen)
  })
  hand(Buffer.from('a'))
  hand(Buffer.from('b'))
  expect(stream.readableLength).toBe(2)
  isPaused = false
  hand(Buffer.from('c'))
  await once(stream, 'readable')
  expect(seen.join('')).toBe('abc')
  hand(Buffer.from('d'))
  expect(seen.join('')).toBe('abcd')
})

test('a stream whose reader leaves them long enough wants no more', () => {
  const { stream, hand } = openStream()
  const taken = Array.from({ length: 100 }, () => hand(Buffer.alloc(1_024)))
  expect(taken.indexOf(false)).toBe(stream.readableHighWaterMark / 1_024 - 1)
})

test('a reader of `data` events, or one that comes late, has all of them in order', async () => {
  const { stream, hand } = openStream()
  hand(Buffer.from('a'))
  hand(Buffer.from('b'))
  const seen: string[] = []
  stream.on('data', (bytes) => seen.push(String(bytes)))
  await once(stream, 'data')
  hand(Buffer.from('c'))
  stream.push(null)
  await once(stream, 'end')
  expect(seen.join('')).toBe('abc')
})

test('the end comes after the last bytes', async () => {
  const { stream, hand } = openStream()
  const seen: string[] = []
  stream.on('readable', () => readWhatIsThere(stream, seen))
  hand(Buffer.from('last'))
  stream.push(null)
  await once(stream, 'end')
  expect(seen).toEqual(['last'])
})

test('a reader that fails leaves the stream readable', () => {
  const { stream, hand } = openStream()
  const seen: string[] = []
  stream.once('readable', () => {
    stream.read()
    throw new Error('reader')
  })
  expect(() => hand(Buffer.from('a'))).toThrow('reader')
  stream.on('readable', () => readWhatIsThere(stream, seen))
  hand(Buffer.from('b'))
  expect(seen).toEqual(['b'])
})
