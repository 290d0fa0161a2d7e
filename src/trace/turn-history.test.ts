import { expect, test } from 'vitest'
import { Interner, type Message } from '../message/index.ts'
import { type Turn, TurnHistory } from './turn-history.ts'

const interner = new Interner()

function reading() {
  const history = new TurnHistory()
  const seen: unknown[] = []
  const read = (turns: readonly Turn[]) =>
    history.read(turns, ({ content }): Message[] => {
      seen.push(content)
      return [interner.message('user', [{ type: 'text', text: String(content) }])]
    })
  return {
    read: (...contents: unknown[]) => read(contents.map((content) => ({ role: 'user', content }))).map(textOf),
    seen,
    readTurns: read,
  }
}

function textOf({ parts: [part] }: Message): string {
  return part?.type === 'text' ? part.text : ''
}

test('turns that an earlier history begins with are not read again', () => {
  const { read, seen } = reading()
  expect(read('a', 'b')).toEqual(['a', 'b'])
  expect(read('a', 'b', 'c')).toEqual(['a', 'b', 'c'])
  expect(read('a', 'b', 'd')).toEqual(['a', 'b', 'd'])
  expect(read('a')).toEqual(['a'])
  expect(seen).toEqual(['a', 'b', 'c', 'd'])
})

test('a history that differs early is read from there', () => {
  const { read, seen } = reading()
  read('a', 'b', 'c')
  expect(read('a', 'x', 'c')).toEqual(['a', 'x', 'c'])
  expect(seen).toEqual(['a', 'b', 'c', 'x', 'c'])
})

test('the role counts', () => {
  const { readTurns, seen } = reading()
  readTurns([{ role: 'user', content: 'a' }])
  readTurns([{ role: 'assistant', content: 'a' }])
  expect(seen).toEqual(['a', 'a'])
})

test.each([
  ['equal structures are read once', { a: [1, { b: 'c' }] }, { a: [1, { b: 'c' }] }, 1],
  ['another value', { a: [1, { b: 'c' }] }, { a: [1, { b: 'd' }] }, 2],
  ['another key', { a: 1 }, { b: 1 }, 2],
  ['one key more', { a: 1 }, { a: 1, b: 2 }, 2],
  ['a list and an object', ['x'], { 0: 'x' }, 2],
  ['nothing and an object', null, {}, 2],
  ['equal maps are read once', new Map([['a', { b: 1 }]]), new Map([['a', { b: 1 }]]), 1],
  ['another value in a map', new Map([['a', 1]]), new Map([['a', 2]]), 2],
  ['another key in a map', new Map([['a', undefined]]), new Map([['b', undefined]]), 2],
  ['a map and an object', new Map(), {}, 2],
  ['an object and a map', {}, new Map(), 2],
])('structures: %s', (_, first, second, times) => {
  const { read, seen } = reading()
  read(first)
  read(second)
  expect(seen).toHaveLength(times)
})
