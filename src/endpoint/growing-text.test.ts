import { expect, test } from 'vitest'
import { GrowingText } from './growing-text.ts'

const PIECES: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  'one token': ['token'],
  'empty pieces': ['', 'a', '', 'b', ''],
  'Latin-1': ['caf', 'é ', 'ÿ\u0000', '\u0080'],
  'a wide character first': ['✓', ' passed'],
  'a wide character in the midst of a piece': ['passed: ', 'é✓é', ' é'],
  'a pair cut in two': ['a\ud83d', '\ude00b'],
  'half a pair': ['a', '\ud83d', 'é'],
  'the first wide character of all': ['ÿ', 'Ā'],
  'a long piece': ['a', 'b'.repeat(100_000), '✓'.repeat(100_000)],
  'more than it has room for, again and again': Array.from({ length: 3_000 }, (_, index) => ` token${index}`),
  'the same with wide characters': Array.from({ length: 3_000 }, (_, index) => (index < 1_000 ? ' é' : ' ✓é')),
}

for (const [name, pieces] of Object.entries(PIECES)) {
  test(`is what was added: ${name}`, () => {
    const text = new GrowingText()
    for (const piece of pieces) text.add(piece)
    expect(text.toString()).toBe(pieces.join(''))
    expect(text.isEmpty).toBe(pieces.join('') === '')
  })
}

test('texts that grow side by side do not touch', () => {
  const texts = Array.from({ length: 20 }, () => new GrowingText())
  for (let round = 0; round < 200; round++) for (const [index, text] of texts.entries()) text.add(`${index},`)
  for (const [index, text] of texts.entries()) expect(text.toString()).toBe(`${index},`.repeat(200))
})

test('can be read while it grows', () => {
  const text = new GrowingText()
  text.add('a')
  expect(text.toString()).toBe('a')
  text.add('✓')
  expect(text.toString()).toBe('a✓')
})
