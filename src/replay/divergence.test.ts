import { describe, expect, test } from 'vitest'
import type { Message } from '../message/index.ts'
import { compareToolCalls, countSplices } from './divergence.ts'
import { assistant, graphOf, text, toolCall } from './graph.fixture.ts'

describe('tool calls', () => {
  const calls = (...names: string[]) => assistant(...names.map((name, index) => toolCall(`c${index}`, name)))

  test.each<[string, Message, Message, object]>([
    ['as recorded, in any order', calls('a', 'b'), calls('b', 'a'), { matched: 2 }],
    ['one too few', calls('a', 'b'), calls('a'), { matched: 1, missing: 1 }],
    ['one too many', calls('a'), calls('a', 'a'), { matched: 1, extra: 1 }],
    ['another one', calls('a', 'b'), calls('a', 'c'), { matched: 1, renamed: 1 }],
    ['text in place of a call', calls('a'), text('assistant', 'done'), { missing: 1 }],
    ['a call in place of text', text('assistant', 'done'), calls('a'), { extra: 1 }],
    ['arguments that are no JSON', calls('a'), assistant(toolCall('x', 'a', '{"q":')), { malformed: 1 }],
  ])('%s', (_, recorded, live, counts) => {
    const none = { matched: 0, missing: 0, extra: 0, renamed: 0, malformed: 0 }
    expect(compareToolCalls(recorded, live)).toEqual({ ...none, ...counts })
  })

  test('nothing is said where neither side has any, or no output was recorded', () => {
    expect(compareToolCalls(text('assistant', 'a'), text('assistant', 'b'))).toBeUndefined()
    expect(compareToolCalls(null, calls('a'))).toBeUndefined()
  })
})

test('places for live outputs are counted by what shows them', () => {
  const splices = [
    { kind: 'message', message: 0, from: 'a' },
    { kind: 'message', message: 2, from: 'b' },
    { kind: 'message', message: 4, from: 'b' },
  ] as const
  const [node] = graphOf('s', [{ id: 'c', after: ['b'], splices }]).nodes
  if (node === undefined) throw new Error('no node')
  const input = { messages: [], splices, strayed: new Set([splices[2]]), live: 2, diverged: 1, repaired: 0 }
  expect(countSplices(node, input)).toEqual({
    live: 2,
    diverged: 1,
    by: { earlier: { live: 1, diverged: 0 }, context: { live: 1, diverged: 1 } },
  })
  expect(countSplices(node, { ...input, splices: [], strayed: new Set(), live: 0, diverged: 0 })).toEqual({
    live: 0,
    diverged: 0,
  })
})
