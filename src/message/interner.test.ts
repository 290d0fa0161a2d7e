import { expect, test } from 'vitest'
import { Interner } from './interner.ts'
import type { Part } from './message.ts'
import { MessagePool } from './message-pool.ts'

const text = (value: string): Part => ({ type: 'text', text: value })
const image = (source: { data: string } | { uri: string }): Part => ({
  type: 'media',
  modality: 'image',
  mime: 'image/png',
  source,
})

const PARTS: [string, Part][] = [
  ['text', text('a')],
  ['other text', text('b')],
  ['white space', text('a ')],
  ['reasoning', { type: 'reasoning', text: 'a' }],
  ['a call', { type: 'tool_call', id: 'a', name: 'b', arguments: 'c' }],
  ['a call with another id', { type: 'tool_call', id: 'b', name: 'b', arguments: 'c' }],
  ['a call with other arguments', { type: 'tool_call', id: 'a', name: 'b', arguments: '{}' }],
  ['a call that spells the same', { type: 'tool_call', id: 'ab', name: '', arguments: 'c' }],
  ['a result', { type: 'tool_result', id: 'a', content: 'b' }],
  ['a result with another id', { type: 'tool_result', id: 'b', content: 'b' }],
  ['inline media', image({ data: 'a' })],
  ['linked media', image({ uri: 'a' })],
]

test.each([
  ['on its own', () => new Interner()],
  ['with a pool', () => new Interner(new MessagePool())],
])('equal messages are one object, others are not (%s)', (_, create) => {
  const interner = create()
  const first = PARTS.map(([, part]) => interner.message('user', [part]))
  const again = PARTS.map(([, part]) => interner.message('user', [structuredClone(part)]))
  expect(again.every((message, index) => message === first[index])).toBe(true)
  expect(new Set(first).size).toBe(PARTS.length)
  expect(first.map(({ parts }) => parts[0])).toEqual(PARTS.map(([, part]) => part))
})

test('role, number and order of parts tell messages apart', () => {
  const interner = new Interner()
  const [a, b] = [text('a'), text('b')]
  const messages = [
    interner.message('user', [a]),
    interner.message('assistant', [a]),
    interner.message('user', [a, b]),
    interner.message('user', [b, a]),
    interner.message('user', [text('ab')]),
    interner.message('user', []),
  ]
  expect(new Set(messages).size).toBe(messages.length)
})

test('a message is frozen through and through', () => {
  const message = new Interner(new MessagePool()).message('user', [image({ data: 'a' })])
  const [part] = message.parts
  const frozen = [message, message.parts, part, part?.type === 'media' ? part.source : undefined]
  expect(frozen.every((value) => value !== undefined && Object.isFrozen(value))).toBe(true)
})

test('interners of one input set share messages through their pool', () => {
  const pool = new MessagePool()
  const messages = PARTS.map(([, part]) => new Interner(pool).message('tool', [part]))
  const again = PARTS.map(([, part]) => new Interner(pool).message('tool', [structuredClone(part)]))
  expect(again.every((message, index) => message === messages[index])).toBe(true)
  expect(new Interner(pool).message('user', [text('a')])).not.toBe(new Interner(pool).message('assistant', [text('a')]))
})

test('long texts of one length are told apart as fast as short ones', () => {
  const interner = new Interner()
  const long = (index: number) => interner.message('tool', [{ type: 'tool_result', id: '', content: 'x'.repeat(20_000) + index }])
  const messages = Array.from({ length: 3_000 }, (_, index) => long(1_000 + index))
  expect(new Set(messages).size).toBe(3_000)
  expect(long(1_700)).toBe(messages[700])
})
