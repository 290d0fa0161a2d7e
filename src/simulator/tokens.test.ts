import { describe, expect, test } from 'vitest'
import { countTokens, TokenSequence } from './tokens.ts'

function sequence(write: Write, blockTokens = 2): TokenSequence {
  const tokens = new TokenSequence(blockTokens)
  write(tokens)
  return tokens
}

type Write = (tokens: TokenSequence) => void

function writeAll(...writes: readonly Write[]): Write {
  return (tokens) => {
    for (const write of writes) write(tokens)
  }
}

test.each([
  ['', 0],
  ['a', 1],
  ['abcd', 1],
  ['abcde', 2],
  ['größe', 2],
  ['👍👍', 1],
])('%j is %i tokens', (text, count) => {
  expect(countTokens(text)).toBe(count)
  expect(sequence((tokens) => tokens.text(text)).length).toBe(count)
})

test('a block hash covers everything before it', () => {
  const one = sequence((tokens) => tokens.text('aaaabbbbccccdddd'))
  const other = sequence((tokens) => tokens.text('aaaabbbbccccDddd'))
  const shifted = sequence((tokens) => tokens.text('Xaaabbbbccccdddd'))
  expect(one.blockHashes).toHaveLength(2)
  expect(other.blockHashes[0]).toBe(one.blockHashes[0])
  expect(other.blockHashes[1]).not.toBe(one.blockHashes[1])
  expect(shifted.blockHashes.some((hash) => one.blockHashes.includes(hash))).toBe(false)
})

test('only whole blocks have a hash', () => {
  expect(sequence((tokens) => tokens.text('aaaabbbbcccc')).blockHashes).toHaveLength(1)
})

test('text written token by token is the text written at once', () => {
  const whole = sequence((tokens) => tokens.text('aaaabbbbccccdd'))
  const pieces = sequence((tokens) => {
    for (const piece of ['aaaa', 'bbbb', 'cccc', 'dd']) tokens.text(piece)
  })
  expect([pieces.length, pieces.hash, pieces.blockHashes]).toEqual([whole.length, whole.hash, whole.blockHashes])
})

describe('sequences differ by', () => {
  const base = sequence((tokens) => tokens.text('abcdefgh'))
  test.each<[string, Write]>([
    [
      'a marker',
      writeAll(
        (tokens) => tokens.text('abcd'),
        (tokens) => tokens.marker('end'),
        (tokens) => tokens.text('efgh'),
      ),
    ],
    ['one character', (tokens) => tokens.text('abcdefgi')],
    [
      'order',
      writeAll(
        (tokens) => tokens.text('efgh'),
        (tokens) => tokens.text('abcd'),
      ),
    ],
    ['a call instead of text', (tokens) => tokens.toolCall('abcdefgh')],
    ['media', (tokens) => tokens.media('abcdefgh')],
  ])('%s', (_, write) => {
    expect(sequence(write).hash).not.toBe(base.hash)
  })

  test('the name of a call', () => {
    expect(sequence((tokens) => tokens.toolCall('a')).hash).not.toBe(sequence((tokens) => tokens.toolCall('b')).hash)
  })
})

test('the blocks of one picture differ from each other', () => {
  const { blockHashes } = sequence((tokens) => tokens.media('x'))
  expect(new Set(blockHashes).size).toBe(blockHashes.length)
})

test('a hundred thousand blocks have a hundred thousand hashes', () => {
  const tokens = new TokenSequence(1)
  for (let i = 0; i < 100_000; i++) tokens.text('same')
  expect(new Set(tokens.blockHashes).size).toBe(100_000)
})
