import { expect, test } from 'vitest'
import { TextSearch, WINDOW_LENGTH } from './text-search.ts'

const LONG = 'The quick brown fox jumps over the lazy dog, and the lazy dog does not mind at all.'

function searchFor(...patterns: string[]): (text: string) => [start: number, pattern: string][] {
  const search = new TextSearch()
  for (const pattern of patterns) search.add(pattern)
  return (text) =>
    search.find(text).map(({ start, end, pattern }) => {
      expect(text.slice(start, end)).toBe(pattern)
      return [start, pattern]
    })
}

test('finds a pattern at the start, in the middle, at the end and as the whole text', () => {
  const find = searchFor(LONG)
  expect(find(`${LONG}…`)).toEqual([[0, LONG]])
  expect(find(`…${LONG}…`)).toEqual([[1, LONG]])
  expect(find(`…${LONG}`)).toEqual([[1, LONG]])
  expect(find(LONG)).toEqual([[0, LONG]])
  expect(find(LONG + LONG)).toEqual([
    [0, LONG],
    [LONG.length, LONG],
  ])
})

test('does not find a pattern that is cut, changed in its last character, or too short', () => {
  const find = searchFor(LONG, 'short')
  expect(find(LONG.slice(0, -1))).toEqual([])
  expect(find(`${LONG.slice(0, -1)}!`)).toEqual([])
  expect(find(`${'x'.repeat(WINDOW_LENGTH)} short`)).toEqual([])
})

test('finds a pattern of exactly the shortest length', () => {
  const exact = LONG.slice(0, WINDOW_LENGTH)
  expect(searchFor(exact)(`a ${exact} b`)).toEqual([[2, exact]])
  expect(searchFor(exact.slice(1))(`a ${exact} b`)).toEqual([])
})

test('prefers the longest of patterns with one beginning, whatever their order', () => {
  const longer = `${LONG} Really.`
  for (const find of [searchFor(LONG, longer), searchFor(longer, LONG)]) {
    expect(find(`${longer} ${LONG}`)).toEqual([
      [0, longer],
      [longer.length + 1, LONG],
    ])
  }
})

test('of patterns that overlap in the text, the first is found', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(40))
  expect(searchFor(`${a}${b}`, `${b}${c}`)(`${a}${b}${c}`)).toEqual([[0, `${a}${b}`]])
})

test('finds patterns with characters beyond ASCII and beyond 16 bits', () => {
  const pattern = '🦊'.repeat(40)
  expect(searchFor(pattern)(`é${pattern}é`)).toEqual([[1, pattern]])
})

test('a text of one letter does not take forever', () => {
  const find = searchFor(`${'a'.repeat(200_000)}b`)
  expect(find('a'.repeat(400_000))).toEqual([])
})

test('agrees with plain search on texts made of few pieces', () => {
  const pieces = ['ab'.repeat(20), 'aba'.repeat(15), 'b'.repeat(33), 'a'.repeat(64)]
  const patterns = pieces.flatMap((a) => pieces.map((b) => a + b)).filter((pattern) => pattern.length >= WINDOW_LENGTH)
  const find = searchFor(...patterns)
  for (const a of pieces)
    for (const b of pieces)
      for (const c of pieces) {
        const text = `${a}${b}${c}`
        const first = Math.min(...patterns.map((pattern) => text.indexOf(pattern)).filter((index) => index >= 0))
        expect(find(text)[0]?.[0] ?? Number.POSITIVE_INFINITY).toBe(first)
      }
})
