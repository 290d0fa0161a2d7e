import { expect, test } from 'vitest'
import type { GraphNode, Splice } from '../graph/index.ts'
import type { Message } from '../message/index.ts'
import { assistant, graphOf, text } from './graph.fixture.ts'
import { markedInput } from './marked-input.ts'
import { Variants } from './variants.ts'

const MARKER = '[x#2]\n'
const SYSTEM = text('system', 'You help.')
const USER = text('user', 'the answer: 42')
const TURN = assistant({ type: 'text', text: 'hi' })

function nodeOf(messages: readonly Message[], splices: readonly Splice[] = []): GraphNode {
  const [node] = graphOf('x', [{ id: 'a', messages, splices }]).nodes
  if (node === undefined) throw new Error('no node')
  return node
}

test('the marker stands at the very head of the first message', () => {
  const { messages } = markedInput(nodeOf([SYSTEM, USER]), MARKER, new Variants())
  expect(messages).toEqual([text('system', '[x#2]\nYou help.'), USER])
})

test('of the recorded messages only the first is copied, and the recording is left as it is', () => {
  const node = nodeOf([SYSTEM, USER, TURN])
  const { messages } = markedInput(node, MARKER, new Variants())
  expect(messages[0]).not.toBe(SYSTEM)
  expect(messages[1]).toBe(USER)
  expect(messages[2]).toBe(TURN)
  expect(node.call.messages).toEqual([SYSTEM, USER, TURN])
})

test('without a marker all is as recorded', () => {
  const node = nodeOf([SYSTEM, USER])
  const { messages, splices } = markedInput(node, '', new Variants())
  expect(messages).toBe(node.call.messages)
  expect(splices).toBe(node.splices)
})

test.each([
  ['a marked message', [SYSTEM, USER]],
  ['a message that was put before them', [TURN, USER]],
])('calls of a session share %s', (_what, recorded) => {
  const variants = new Variants()
  const [one, other] = [nodeOf(recorded), nodeOf([...recorded, TURN])].map((node) => markedInput(node, MARKER, variants))
  expect(one?.messages[0]).toBe(other?.messages[0])
  expect(markedInput(nodeOf(recorded), '[x#3]\n', new Variants()).messages[0]).not.toBe(one?.messages[0])
})

test('a stretch handed on in the first message moves with the marker', () => {
  const splice = { kind: 'text', message: 0, part: 0, start: 12, end: 14, escaped: false, from: 'a' } as const
  const { messages, splices } = markedInput(nodeOf([USER], [splice]), MARKER, new Variants())
  const [moved] = splices
  const [part] = messages[0]?.parts ?? []
  if (moved?.kind !== 'text' || part?.type !== 'text') throw new Error('lost')
  expect(part.text.slice(moved.start, moved.end)).toBe('42')
})

test('a stretch handed on in a later message stays where it is', () => {
  const splice = { kind: 'text', message: 1, part: 0, start: 12, end: 14, escaped: false, from: 'a' } as const
  expect(markedInput(nodeOf([SYSTEM, USER], [splice]), MARKER, new Variants()).splices).toEqual([splice])
})

test('a history that begins with an answer gets a system message, and its splices move by one', () => {
  const splice = { kind: 'message', message: 0, from: 'a' } as const
  const { messages, splices } = markedInput(nodeOf([TURN, USER], [splice]), MARKER, new Variants())
  expect(messages).toEqual([text('system', MARKER), TURN, USER])
  expect(splices).toEqual([{ kind: 'message', message: 1, from: 'a' }])
})
