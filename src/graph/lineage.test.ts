import { expect, test } from 'vitest'
import type { Message } from '../message/index.ts'
import { buildGraph } from './build-graph.ts'
import {
  afterOf,
  assistant,
  type CallSketch,
  edgeOf,
  sessionOf,
  splicesOf,
  system,
  toolCall,
  toolResult,
  user,
} from './session.fixture.ts'

const graphOf = (sketches: Readonly<Record<string, CallSketch>>) => buildGraph(sessionOf(sketches))

const hello = [system('Be brief.'), user('Hello')]

test('a call that opens with another call’s input and output goes on with its context', () => {
  const graph = graphOf({
    a: { at: [0, 1_000], in: hello, out: 'Hi!' },
    b: { at: [1_500, 2_000], in: [...hello, assistant('Hi!'), user('Bye')] },
  })
  expect(edgeOf(graph, 'a', 'b')).toEqual({
    from: 'a',
    kind: 'context',
    evidence: 'messages[0…2] are its input and its output',
  })
  expect(graph.nodes.map((node) => node.waitMs)).toEqual([0, 500])
  expect(splicesOf(graph)).toEqual({ b: { 2: 'a' } })
})

test('each turn of a conversation waits for the turn before; all earlier outputs stay spliced', () => {
  const turns: Message[] = [user('1')]
  const sketches: Record<string, CallSketch> = {}
  for (const k of [0, 1, 2, 3]) {
    sketches[`t${k}`] = { at: [k * 1_000, k * 1_000 + 900], in: [...turns], out: `answer ${k}` }
    turns.push(assistant(`answer ${k}`), user(`${k}`))
  }
  const graph = graphOf(sketches)
  expect(afterOf(graph)).toEqual({ t0: [], t1: ['t0'], t2: ['t1'], t3: ['t2'] })
  expect(splicesOf(graph)).toEqual({ t1: { 1: 't0' }, t2: { 1: 't0', 3: 't1' }, t3: { 1: 't0', 3: 't1', 5: 't2' } })
})

test('an output gathered by a call with another history is spliced, and the edge says which message it is', () => {
  const graph = graphOf({
    a: { at: [0, 10], in: [system('A'), user('qa')], out: 'from a' },
    b: { at: [0, 12], in: [system('B'), user('qb')], out: 'from b' },
    join: { at: [20, 30], in: [system('J'), user('qa'), assistant('from a'), user('qb'), assistant('from b')] },
  })
  expect(afterOf(graph)).toMatchObject({ join: ['a', 'b'] })
  expect(edgeOf(graph, 'b', 'join')).toEqual({ from: 'b', kind: 'output', evidence: 'messages[4] is its output' })
  expect(splicesOf(graph)).toEqual({ join: { 2: 'a', 4: 'b' } })
})

test('equal outputs are told apart by the history before them', () => {
  const graph = graphOf({
    a: { at: [0, 10], in: [user('Do A')], out: 'Done.' },
    b: { at: [1, 12], in: [user('Do B')], out: 'Done.' },
    afterA: { at: [20, 30], in: [user('Do A'), assistant('Done.'), user('And now?')] },
    afterB: { at: [20, 31], in: [user('Do B'), assistant('Done.'), user('And now?')] },
  })
  expect(splicesOf(graph)).toEqual({ afterA: { 1: 'a' }, afterB: { 1: 'b' } })
})

test('equal outputs are told apart even when every system prompt carries the time of day', () => {
  const graph = graphOf({
    a: { at: [0, 10], in: [system('08:00'), user('Do A')], out: 'Done.' },
    b: { at: [1, 12], in: [system('08:01'), user('Do B')], out: 'Done.' },
    afterA: { at: [20, 30], in: [system('08:02'), user('Do A'), assistant('Done.'), user('And now?')] },
  })
  expect(splicesOf(graph)).toEqual({ afterA: { 2: 'a' } })
  expect(edgeOf(graph, 'a', 'afterA')?.kind).toBe('output')
})

test('equal outputs are told apart however many there are', () => {
  const sketches: Record<string, CallSketch> = {}
  for (let k = 0; k < 80; k++) {
    const task = user(`Do ${k}`)
    sketches[`do${k}`] = { at: [k, k + 5], in: [system(`It is ${k}.`), task], out: 'Done.' }
    sketches[`then${k}`] = { at: [100 + k, 200], in: [system(`It is ${100 + k}.`), task, assistant('Done.'), user('And now?')] }
  }
  const expected = Array.from({ length: 80 }, (_, k) => [`then${k}`, { 2: `do${k}` }])
  expect(splicesOf(graphOf(sketches))).toEqual(Object.fromEntries(expected))
})

test('where the messages next to an output are new, the opening of the dialogue tells it from its equals', () => {
  const graph = graphOf({
    a: { at: [0, 10], in: [user('Do A'), user('08:00')], out: 'Done.' },
    b: { at: [1, 12], in: [user('Do B'), user('08:01')], out: 'Done.' },
    afterA: { at: [20, 30], in: [user('Do A'), user('08:02'), assistant('Done.'), user('And now?')] },
  })
  expect(splicesOf(graph)).toEqual({ afterA: { 2: 'a' } })
})

test('where the whole dialogue is new, the messages next to an output tell it from its equals', () => {
  const graph = graphOf({
    a: { at: [0, 10], in: [user('08:00'), user('Do A')], out: 'Done.' },
    b: { at: [1, 12], in: [user('08:01'), user('Do B')], out: 'Done.' },
    afterA: { at: [20, 30], in: [user('08:02'), user('Do A'), assistant('Done.'), user('And now?')] },
  })
  expect(splicesOf(graph)).toEqual({ afterA: { 2: 'a' } })
})

test('of dialogues that differ in tool-call ids alone, each has its own origin', () => {
  const poll = (id: string) => assistant('', toolCall('status', '{}', id))
  const then = (time: string, id: string) => [system(time), user('Poll'), poll(id), toolResult('pending', id)]
  const graph = graphOf({
    a: { at: [0, 10], in: [system('1'), user('Poll')], out: poll('call_a') },
    b: { at: [0, 12], in: [system('2'), user('Poll')], out: poll('call_b') },
    afterA: { at: [20, 30], in: then('3', 'call_a') },
    afterB: { at: [20, 31], in: then('4', 'call_b') },
  })
  expect(splicesOf(graph)).toEqual({ afterA: { 2: 'a' }, afterB: { 2: 'b' } })
})

test('equal outputs of equal inputs are told apart by their tool-call ids, then the latest counts', () => {
  const question = user('Poll')
  const poll = (id: string) => assistant('', toolCall('status', '{}', id))
  const graph = graphOf({
    a: { at: [0, 10], in: [question], out: poll('call_a') },
    b: { at: [0, 12], in: [question], out: poll('call_b') },
    afterA: { at: [20, 30], in: [question, poll('call_a'), toolResult('pending', 'call_a')] },
    afterB: { at: [20, 31], in: [question, poll('call_b'), toolResult('pending', 'call_b')] },
    afterNeither: { at: [40, 50], in: [question, poll(''), toolResult('done')] },
  })
  expect(splicesOf(graph)).toEqual({ afterA: { 1: 'a' }, afterB: { 1: 'b' }, afterNeither: { 1: 'b' } })
})

test('the formatting of an output does not break the lineage of what follows it', () => {
  const recorded = assistant('', toolCall('find', '{ "b": 1, "a": 2 }', 'call_1'))
  const repeated = assistant('', toolCall('find', '{"a":2,"b":1}', 'call_1'))
  const graph = graphOf({
    a: { at: [0, 10], in: hello, out: recorded },
    b: { at: [20, 30], in: [...hello, repeated, toolResult('42', 'call_1')], out: ' It is 42.\n' },
    c: { at: [40, 50], in: [...hello, recorded, toolResult('42', 'call_1'), assistant('It is 42.'), user('Thanks')] },
  })
  expect(edgeOf(graph, 'a', 'b')?.kind).toBe('context')
  expect(edgeOf(graph, 'b', 'c')?.kind).toBe('context')
})

test('an output must be the whole message, and an empty one equals none', () => {
  const graph = graphOf({
    a: { at: [0, 10], in: [user('a')], out: 'Paris' },
    empty: { at: [0, 10], in: [user('b')], out: '' },
    c: { at: [0, 30], in: [user('c'), assistant('It is Paris.'), assistant(''), user('d')] },
  })
  expect(splicesOf(graph)).toEqual({})
})

test('an altered turn that carries the tool-call ids of an output is that output', () => {
  const graph = graphOf({
    a: { at: [0, 10], in: hello, out: assistant('Let me look.', toolCall('read', '{"path":"a.ts"}', 'call_7')) },
    b: { at: [20, 30], in: [...hello, assistant('', toolCall('read', '{…}', 'call_7')), toolResult('text', 'call_7')] },
  })
  expect(edgeOf(graph, 'a', 'b')).toMatchObject({ kind: 'tool-call-id', evidence: 'messages[2] carries its tool-call id call_7' })
  expect(splicesOf(graph)).toEqual({ b: { 2: 'a' } })
})

test('an id that another function was called with is no evidence', () => {
  const graph = graphOf({
    a: { at: [0, 10], in: [user('a')], out: assistant('', toolCall('read', '{}', 'call_0')) },
    b: { at: [20, 30], in: [user('b'), assistant('', toolCall('write', '{}', 'call_0')), toolResult('ok', 'call_0')] },
  })
  expect(splicesOf(graph)).toEqual({})
})

test('a tool result sent without the turn that asked for it follows from that turn', () => {
  const graph = graphOf({
    a: { at: [0, 10], in: [user('a')], out: assistant('', toolCall('read', '{}', 'call_5')) },
    side: { at: [11, 40] },
    b: { at: [20, 30], in: [toolResult('text', 'call_5')] },
  })
  expect(edgeOf(graph, 'a', 'b')).toMatchObject({ kind: 'tool-call-id', evidence: 'messages[0] carries its tool-call id call_5' })
  expect(splicesOf(graph)).toEqual({})
})

test('a history whose turns the recorder emptied is followed by its inputs', () => {
  const first = [user('Weather?'), assistant('I look it up.'), toolResult('18 °C')]
  const graph = graphOf({
    a: { at: [0, 10], in: [user('Weather?')], out: 'I look it up.' },
    b: { at: [20, 30], in: first, out: '' },
    c: { at: [40, 50], in: [...first, assistant(''), toolResult('64 °F')] },
  })
  expect(afterOf(graph)).toEqual({ a: [], b: ['a'], c: ['b'] })
  expect(edgeOf(graph, 'b', 'c')).toMatchObject({
    kind: 'context',
    evidence: 'messages[0…2] are its input, and messages[3] stands where its output would',
  })
  expect(splicesOf(graph).c).toEqual({ 1: 'a' })
})

test('of calls whose input opens a history, only the last before it counts', () => {
  const first = [user('Weather?'), assistant(''), toolResult('18 °C')]
  const graph = graphOf({
    a: { at: [0, 10], in: [user('Weather?')], out: '' },
    abandoned: { at: [5, 35], in: [user('Weather?')], out: 'Let me think about it.' },
    b: { at: [20, 30], in: first, out: 'Mild.' },
    c: { at: [40, 50], in: [...first, assistant('Mild.'), user('Thanks')] },
  })
  expect(afterOf(graph)).toMatchObject({ b: ['a'], c: ['b'] })
})

test('a history without its assistant turns is followed by its tool results', () => {
  const graph = graphOf({
    a: { at: [0, 10], in: hello, out: assistant('', toolCall('read')) },
    other: { at: [1, 19] },
    b: { at: [12, 30], in: [...hello, toolResult('text')] },
  })
  expect(afterOf(graph)).toMatchObject({ b: ['a'] })
})

test('calls that merely share a prompt do not follow from each other', () => {
  const graph = graphOf({
    a: { at: [0, 10], in: hello, out: 'one' },
    b: { at: [5, 15], in: hello, out: 'two' },
    c: { at: [6, 18], in: [...hello, user('More')] },
  })
  expect(afterOf(graph)).toEqual({ a: [], b: [], c: [] })
})

test('an example in a prompt that was there before the output does not come from it', () => {
  const examples = [system('Classify.'), user('late parcel'), assistant('shipping')]
  const graph = graphOf({
    a: { at: [0, 10], in: [...examples, user('where is it?')], out: 'shipping' },
    b: { at: [20, 30], in: [...examples, user('wrong size')], out: 'returns' },
  })
  expect(splicesOf(graph)).toEqual({})
})

test('a start rounded down to the millisecond still follows from content', () => {
  const graph = graphOf({
    a: { at: [0, 100.7], in: hello, out: 'Hi!' },
    b: { at: [100, 200], in: [...hello, assistant('Hi!'), user('Bye')] },
    tooEarly: { at: [99, 200], in: [...hello, assistant('Hi!'), user('Bye')] },
  })
  expect(afterOf(graph)).toEqual({ a: [], tooEarly: [], b: ['a'] })
  expect(graph.nodes.find(({ call }) => call.id === 'b')?.waitMs).toBe(0)
})

test('a call waits for its failed attempt', () => {
  const next = [...hello, assistant('Hi!'), user('Bye')]
  const graph = graphOf({
    a: { at: [0, 10], in: hello, out: 'Hi!' },
    failed: { at: [20, 30], in: next, out: null, error: 'overloaded' },
    again: { at: [35, 50], in: next, out: 'Bye!' },
    c: { at: [60, 70], in: [...next, assistant('Bye!'), user('Still there?')] },
  })
  expect(afterOf(graph)).toEqual({ a: [], failed: ['a'], again: ['failed'], c: ['again'] })
  expect(edgeOf(graph, 'failed', 'again')).toMatchObject({ kind: 'temporal', evidence: expect.stringContaining('failed') })
})

test('two samples of one prompt do not wait for each other', () => {
  const next = [...hello, assistant('Hi!'), user('Bye')]
  const graph = graphOf({
    a: { at: [0, 10], in: hello, out: 'Hi!' },
    one: { at: [20, 30], in: next, out: 'Bye!' },
    two: { at: [35, 50], in: next, out: 'So long!' },
  })
  expect(afterOf(graph)).toEqual({ a: [], one: ['a'], two: ['a'] })
})
