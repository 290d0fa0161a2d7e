import { expect, test } from 'vitest'
import type { ReplayGraph, Splice } from '../graph/index.ts'
import type { Message } from '../message/index.ts'
import { isolateSession } from './isolate-session.ts'
import { singleCall } from './workload.fixture.ts'

const SYSTEM: Message = { role: 'system', parts: [{ type: 'text', text: 'You help.' }] }
const USER: Message = { role: 'user', parts: [{ type: 'text', text: 'the answer: 42' }] }
const TURN: Message = { role: 'assistant', parts: [{ type: 'text', text: 'hi' }] }

function withSplices(messages: readonly Message[], splices: readonly Splice[]): ReplayGraph {
  const graph = singleCall('x', messages)
  return { ...graph, nodes: graph.nodes.map((node) => ({ ...node, splices })) }
}

test('the marker stands at the very head of the first message', () => {
  const isolated = isolateSession(singleCall('x', [SYSTEM, USER]), 'x#2')
  expect(isolated.session.id).toBe('x#2')
  expect(isolated.nodes[0]?.call.messages).toEqual([
    { role: 'system', parts: [{ type: 'text', text: '[x#2]\nYou help.' }] },
    USER,
  ])
})

test('calls that shared their first message go on sharing it', () => {
  const graph = singleCall('x', [SYSTEM])
  const [node] = graph.nodes
  if (node === undefined) throw new Error('no node')
  const isolated = isolateSession({ ...graph, nodes: [node, { ...node, call: { ...node.call, id: 'b' } }] }, 'x#2')
  expect(isolated.nodes[0]?.call.messages[0]).toBe(isolated.nodes[1]?.call.messages[0])
})

test('a stretch handed on in the first message moves with the marker', () => {
  const splice = { kind: 'text', message: 0, part: 0, start: 12, end: 14, escaped: false, from: 'a' } as const
  const [node] = isolateSession(withSplices([USER], [splice]), 'x#2').nodes
  const [moved] = node?.splices ?? []
  const [part] = node?.call.messages[0]?.parts ?? []
  if (moved?.kind !== 'text' || part?.type !== 'text') throw new Error('lost')
  expect(part.text.slice(moved.start, moved.end)).toBe('42')
})

test('a history that begins with an answer gets a system message, and its splices move by one', () => {
  const splice = { kind: 'message', message: 0, from: 'a' } as const
  const [node] = isolateSession(withSplices([TURN, USER], [splice]), 'x#2').nodes
  expect(node?.call.messages).toHaveLength(3)
  expect(node?.call.messages[0]).toMatchObject({ role: 'system' })
  expect(node?.splices).toEqual([{ kind: 'message', message: 1, from: 'a' }])
})

test('the recorded session is left as it is', () => {
  const graph = singleCall('x', [SYSTEM])
  isolateSession(graph, 'x#2')
  expect(graph.nodes[0]?.call.messages).toEqual([SYSTEM])
})
