import { expect, test } from 'vitest'
import { Interner } from './interner.ts'
import { withSystemFirst } from './system-first.ts'

const interner = new Interner()
const system = (...texts: string[]) =>
  interner.message(
    'system',
    texts.map((text) => ({ type: 'text', text })),
  )
const user = interner.message('user', [{ type: 'text', text: 'hi' }])

test('instructions kept apart become the first message', () => {
  expect(withSystemFirst(system('be good'), [user])).toEqual([system('be good'), user])
})

test.each([
  ['equal', [system('be good'), user]],
  ['equal but for white space and cut', [system(' be ', 'good\n'), user]],
  ['spread over messages', [system('be '), system('good'), user]],
  ['after another', [system('be quick'), system('be good'), user]],
])('instructions that the input repeats are not doubled: %s', (_, messages) => {
  expect(withSystemFirst(system('be good'), messages)).toBe(messages)
})

test('different instructions stand beside those of the input', () => {
  const messages = [system('be quick'), user]
  expect(withSystemFirst(system('be good'), messages)).toEqual([system('be good'), ...messages])
  expect(withSystemFirst(system('be good'), [user, system('be good')])[0]).toBe(system('be good'))
})

test('no instructions, no message', () => {
  expect(withSystemFirst(undefined, [user])).toEqual([user])
  expect(withSystemFirst(system(), [user])).toEqual([user])
})
