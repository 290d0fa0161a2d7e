import { expect, test } from 'vitest'
import type { Message } from '../message/index.ts'
import { assistant, graphOf, text, toolCall, toolResult } from './graph.fixture.ts'
import { LiveHistory } from './live-history.ts'

const RECORDED_TURN = assistant(toolCall('r1', 'search', '{"q":"a"}'), toolCall('r2', 'fetch', '{"u":"b"}'))
const FOLLOW_UP = [text('user', 'go'), RECORDED_TURN, toolResult('r1', 'found'), toolResult('r2', 'fetched')]

function inputAfter(live: Message, messages: readonly Message[] = FOLLOW_UP, usable = true) {
  const node = graphOf('s', [{ id: 'b', after: ['a'], messages, splices: [{ kind: 'message', message: 1, from: 'a' }] }]).nodes[0]
  if (node === undefined) throw new Error('no node')
  const history = new LiveHistory()
  history.record('a', live, { usable })
  return { ...history.inputFor(node), again: () => history.inputFor(node) }
}

/** Every call has its result right after it, every result its call, no id twice. */
function expectSound(messages: readonly Message[]): void {
  let open = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'tool') expect([...open]).toEqual([])
    for (const part of message.parts) {
      if (part.type === 'tool_call') {
        expect(part.id).not.toBe('')
        expect(open.has(part.id)).toBe(false)
        open.add(part.id)
      }
      if (part.type === 'tool_result') expect(open.delete(part.id)).toBe(true)
    }
    if (message.role === 'assistant' && !message.parts.some((part) => part.type === 'tool_call')) open = new Set()
  }
  expect([...open]).toEqual([])
}

test('a live turn takes the recorded place, and results answer its ids', () => {
  const live = assistant(toolCall('l1', 'search', '{"q":"z"}'), toolCall('l2', 'fetch', '{"u":"y"}'))
  const input = inputAfter(live)
  expect(input.messages.slice(1)).toEqual([live, toolResult('l1', 'found'), toolResult('l2', 'fetched')])
  expect(input).toMatchObject({ live: 1, diverged: 0 })
})

test('reordered calls get their results by function name', () => {
  const live = assistant(toolCall('l1', 'fetch'), toolCall('l2', 'search'))
  const input = inputAfter(live)
  expect(input.messages.slice(2)).toEqual([toolResult('l2', 'found'), toolResult('l1', 'fetched')])
  expectSound(input.messages)
})

test('several calls of one function are answered first to first', () => {
  const recorded = [
    text('user', 'go'),
    assistant(toolCall('r1', 'read'), toolCall('r2', 'read')),
    toolResult('r1', 'one'),
    toolResult('r2', 'two'),
  ]
  const input = inputAfter(assistant(toolCall('l1', 'read'), toolCall('l2', 'read')), recorded)
  expect(input.messages.slice(2)).toEqual([toolResult('l1', 'one'), toolResult('l2', 'two')])
})

test.each([
  ['omits a call', assistant(toolCall('l1', 'search'))],
  ['repeats a call', assistant(toolCall('l1', 'search'), toolCall('l2', 'fetch'), toolCall('l3', 'fetch'))],
  ['calls another function', assistant(toolCall('l1', 'search'), toolCall('l2', 'delete'))],
  ['answers in text', text('assistant', 'no need')],
  ['says nothing', assistant()],
])('where the model %s, the recorded turn stands in', (_, live) => {
  const input = inputAfter(live)
  expect(input.messages).toEqual(FOLLOW_UP)
  expect(input).toMatchObject({ live: 0, diverged: 1 })
})

test('an unusable answer leaves the recorded turn', () => {
  expect(inputAfter(assistant(toolCall('l1', 'search', '{'), toolCall('l2', 'fetch')), FOLLOW_UP, false)).toMatchObject({
    messages: FOLLOW_UP,
    live: 0,
    diverged: 1,
  })
})

test('a text answer where the recording has text goes in; an unforeseen tool call does not', () => {
  const recorded = [text('user', 'go'), text('assistant', 'old'), text('user', 'on')]
  expect(inputAfter(text('assistant', 'new'), recorded)).toMatchObject({ live: 1, messages: [{}, text('assistant', 'new'), {}] })
  expect(inputAfter(assistant(toolCall('l1', 'search')), recorded)).toMatchObject({ diverged: 1, messages: recorded })
})

test('reasoning goes into the history only where the recording kept it', () => {
  const thought = { type: 'reasoning', text: 'hmm' } as const
  const live = assistant(thought, { type: 'text', text: 'new' })
  const without = inputAfter(live, [text('user', 'go'), text('assistant', 'old')])
  expect(without.messages[1]).toEqual(text('assistant', 'new'))
  const kept = inputAfter(live, [text('user', 'go'), assistant(thought, { type: 'text', text: 'old' })])
  expect(kept.messages[1]).toEqual(live)
})

test('live calls without ids, or with ids used before, get ids of their own', () => {
  const history = new LiveHistory()
  history.record('a', assistant(toolCall('same', 'f')), { usable: true })
  history.record('b', assistant(toolCall('same', 'f'), toolCall('', 'f')), { usable: true })
  const messages = [
    assistant(toolCall('r1', 'f')),
    toolResult('r1', '1'),
    assistant(toolCall('r2', 'f'), toolCall('r3', 'f')),
    toolResult('r2', '2'),
    toolResult('r3', '3'),
  ]
  const splices = [
    { kind: 'message', message: 0, from: 'a' },
    { kind: 'message', message: 2, from: 'b' },
  ] as const
  const node = graphOf('s', [{ id: 'c', messages, splices }]).nodes[0]
  if (node === undefined) throw new Error('no node')
  const input = history.inputFor(node)
  expect(input.live).toBe(2)
  expectSound(input.messages)
  const ids = input.messages.flatMap((message) => message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])))
  expect(new Set(ids).size).toBe(3)
})

test('arguments left out become an empty object', () => {
  const recorded = [text('user', 'go'), assistant(toolCall('r', 'now')), toolResult('r', '12:00')]
  expect(inputAfter(assistant(toolCall('l', 'now', '')), recorded).messages[1]).toEqual(assistant(toolCall('l', 'now', '{}')))
})

test('recorded calls without a result and results without a call are sent as text', () => {
  const messages = [toolResult('gone', 'late'), assistant(toolCall('r1', 'final', '{"a":1}')), text('user', 'thanks')]
  const node = graphOf('s', [{ id: 'b', messages }]).nodes[0]
  if (node === undefined) throw new Error('no node')
  const input = new LiveHistory().inputFor(node)
  expect(input.messages).toEqual([
    text('user', 'late'),
    assistant({ type: 'text', text: 'final({"a":1})' }),
    text('user', 'thanks'),
  ])
  expect(input.repaired).toBe(2)
})

test('a live call whose recorded twin was never answered is sent as text too', () => {
  const messages = [text('user', 'go'), assistant(toolCall('r1', 'final', '{"a":1}')), text('user', 'thanks')]
  const input = inputAfter(assistant(toolCall('l1', 'final', '{"a":2}')), messages)
  expect(input.messages[1]).toEqual(assistant({ type: 'text', text: 'final({"a":2})' }))
  expect(input).toMatchObject({ live: 1, diverged: 0 })
})

test('of two live calls the answered one keeps its result, though the other comes first in the recording', () => {
  const messages = [text('user', 'go'), assistant(toolCall('r1', 'f'), toolCall('r2', 'f')), toolResult('r2', 'two')]
  const input = inputAfter(assistant(toolCall('l1', 'f'), toolCall('l2', 'f')), messages)
  expectSound(input.messages)
})

test('recorded calls without ids get ids that their results share', () => {
  const messages = [text('user', 'go'), assistant(toolCall('', 'f'), toolCall('', 'g')), toolResult('', '1'), toolResult('', '2')]
  const node = graphOf('s', [{ id: 'b', messages }]).nodes[0]
  if (node === undefined) throw new Error('no node')
  expectSound(new LiveHistory().inputFor(node).messages)
})

test('recorded results that carry other ids than their calls are put right', () => {
  const messages = [text('user', 'go'), assistant(toolCall('fc_1', 'f')), toolResult('call_1', '1')]
  const node = graphOf('s', [{ id: 'b', messages }]).nodes[0]
  if (node === undefined) throw new Error('no node')
  expectSound(new LiveHistory().inputFor(node).messages)
})

test("a sub-agent's live answer goes into the tool result that hands it on", () => {
  const content = 'Report: OLD ANSWER. And {"x":"OLD \\"ANSWER\\""}'
  const at = (needle: string) => ({ start: content.indexOf(needle), end: content.indexOf(needle) + needle.length })
  const messages = [text('user', 'go'), assistant(toolCall('r', 'ask')), toolResult('r', content)]
  const common = { kind: 'text', message: 2, part: 0, from: 'sub' } as const
  const splices = [
    { kind: 'message', message: 1, from: 'parent' },
    { ...common, ...at('OLD ANSWER'), escaped: false },
    { ...common, ...at('OLD \\"ANSWER\\"'), escaped: true },
  ] as const
  const node = graphOf('s', [{ id: 'b', messages, splices }]).nodes[0]
  if (node === undefined) throw new Error('no node')
  const history = new LiveHistory()
  history.record('parent', assistant(toolCall('live', 'ask')), { usable: true })
  history.record('sub', text('assistant', ' new\n"words" '), { usable: true })
  const input = history.inputFor(node)
  expect(input.messages[2]).toEqual(toolResult('live', 'Report: new\n"words". And {"x":"new\\n\\"words\\""}'))
  expect(input).toMatchObject({ live: 3, diverged: 0 })
})

test('a sub-agent that gave no text leaves the recorded answer', () => {
  const messages = [text('user', 'answer: 42 it is')]
  const splices = [{ kind: 'text', message: 0, part: 0, start: 8, end: 16, escaped: false, from: 'sub' }] as const
  const node = graphOf('s', [{ id: 'b', messages, splices }]).nodes[0]
  if (node === undefined) throw new Error('no node')
  const history = new LiveHistory()
  history.record('sub', assistant(toolCall('l', 'f')), { usable: true })
  expect(history.inputFor(node)).toMatchObject({ messages, live: 0, diverged: 1 })
})

test('equal inputs are identical objects, so that each is encoded once', () => {
  const input = inputAfter(assistant({ type: 'reasoning', text: 'x' }, toolCall('l1', 'search'), toolCall('l2', 'fetch')))
  const again = input.again()
  expect(again.messages).not.toBe(input.messages)
  for (const [index, message] of input.messages.entries()) expect(again.messages[index]).toBe(message)
})

test.each([
  ['carries the marker', [text('user', 'note: 42'), RECORDED_TURN, toolResult('r1', 'found'), toolResult('r2', 'fetched')], 0],
  ['cannot carry it', [RECORDED_TURN, toolResult('r1', 'found'), toolResult('r2', 'fetched'), text('user', 'note: 42')], 3],
])('live outputs go where they would without a marker when the first message %s', (_which, messages, noteAt) => {
  const turnAt = messages.indexOf(RECORDED_TURN)
  const splices = [
    { kind: 'message', message: turnAt, from: 'a' },
    { kind: 'text', message: noteAt, part: 0, start: 6, end: 8, escaped: false, from: 'b' },
  ] as const
  const node = graphOf('s', [{ id: 'c', after: ['a', 'b'], messages, splices }]).nodes[0]
  if (node === undefined) throw new Error('no node')
  const inputWith = (marker: string) => {
    const history = new LiveHistory(marker)
    history.record('a', assistant(toolCall('l1', 'search'), toolCall('l2', 'fetch')), { usable: true })
    history.record('b', text('assistant', 'forty-three'), { usable: true })
    return { input: history.inputFor(node), again: history.inputFor(node) }
  }
  const { input, again } = inputWith('[x#2]\n')
  const said = JSON.stringify(input.messages)
  expect(said).toContain('[x#2]\\n')
  expect(said).toContain('note: forty-three')
  expect(said.replace('[x#2]\\n', '').replace('{"role":"system","parts":[{"type":"text","text":""}]},', '')).toBe(
    JSON.stringify(inputWith('').input.messages),
  )
  expect(input).toMatchObject({ live: 2, diverged: 0 })
  expect(again.messages.map((message, index) => message === input.messages[index])).not.toContain(false)
})
