import { expect, test } from 'vitest'
import { padEnd, padStart, printable, truncate, visibleWidth, wrap } from './terminal-text.ts'

test.each([
  ['', 0],
  ['session', 7],
  ['Zürich – ∞', 10],
  ['会话', 4],
  ['🚀 go', 5],
  ['e\u0301', 1],
  ['a\u200bb', 2],
])('%j is %d columns wide', (text, width) => {
  expect(visibleWidth(text)).toBe(width)
})

test.each([
  ['plain text', 'plain text'],
  ['\u001b[31mred\u001b[0m', '[31mred [0m'],
  ['two\r\nlines\tand a tab', 'two lines and a tab'],
  ['\u202egnp.exe', 'gnp.exe'],
  ['line\u2028break', 'line break'],
  ['bell\u0007', 'bell'],
  ['c1\u009b2J', 'c1 2J'],
])('%j cannot repaint the terminal', (text, safe) => {
  expect(printable(text)).toBe(safe)
})

test.each([
  ['short', 10, 'short'],
  ['exactly', 7, 'exactly'],
  ['too long', 6, 'too l…'],
  ['too long', 5, 'too…'],
  ['会话会话', 5, '会话…'],
  ['会话会话', 4, '会…'],
  ['anything', 1, '…'],
  ['anything', 0, ''],
  ['🚀🚀🚀', 4, '🚀…'],
])('%j in %d columns is %j', (text, width, shown) => {
  expect(truncate(text, width)).toBe(shown)
  expect(visibleWidth(shown)).toBeLessThanOrEqual(width)
})

test('pads by columns, not by code units', () => {
  expect([padEnd('会', 4), padStart('🚀', 4), padEnd('long', 2)]).toEqual(['会  ', '  🚀', 'long'])
})

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['one two three', 100, ['one two three']],
  ['unbreakable x', 5, ['unbreakable', 'x']],
  ['', 5, ['']],
])('%j wraps at %d columns', (text, width, lines) => {
  expect(wrap(text, width)).toEqual(lines)
})
