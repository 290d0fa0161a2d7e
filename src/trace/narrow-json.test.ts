import { expect, test } from 'vitest'
import { isWide, NarrowDecoder, narrowed } from './narrow-json.ts'

const decodeNarrow = (bytes: Buffer) => new NarrowDecoder().decode(bytes)

const SAMPLES = ['plain', 'é', 'ÿ', '✓', '日本語', '😀', '\u2028', '\ud800', 'a✓b😀c', '\u0000\n"\\']

test.each(SAMPLES)('narrow JSON says the same: %j', (text) => {
  const json = JSON.stringify({ [text]: [text, `x${text}`] })
  expect(JSON.parse(narrowed(json))).toEqual(JSON.parse(json))
  expect(isWide(narrowed(json))).toBe(false)
})

test('decoding straight into narrow form says the same, wherever the characters stand', () => {
  for (const padding of [0, 1, 4_090, 16_380, 16_383, 40_000]) {
    const text = `${'x'.repeat(padding)}é✓😀${'y'.repeat(5_000)}日`
    const json = JSON.stringify([text, text])
    const narrow = decodeNarrow(Buffer.from(json))
    expect(narrow && JSON.parse(narrow)).toEqual([text, text])
    expect(narrow && isWide(narrow)).toBe(false)
  }
  expect(decodeNarrow(Buffer.from('["a"]'))).toBe('["a"]')
})

test('text that is mostly not ASCII is left to the decoder', () => {
  expect(decodeNarrow(Buffer.from(JSON.stringify(['日本語'.repeat(100)])))).toBeUndefined()
})

test('no JSON is made out of what is none', () => {
  const broken = `["${'x'.repeat(1_000)}\\é"]`
  expect(() => JSON.parse(broken)).toThrow()
  expect(decodeNarrow(Buffer.from(broken))).toBeUndefined()
})
