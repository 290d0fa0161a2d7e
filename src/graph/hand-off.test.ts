import { expect, test } from 'vitest'
import type { Message, ToolResultPart } from '../message/index.ts'
import { buildGraph } from './build-graph.ts'
import type { ReplayGraph, TextSplice } from './replay-graph.ts'
import { afterOf, assistant, type CallSketch, edgeOf, sessionOf, toolCall, toolResult, user } from './session.fixture.ts'

const graphOf = (sketches: Readonly<Record<string, CallSketch>>) => buildGraph(sessionOf(sketches))

const ANSWER = 'The migration touches 14 tables; three of them have triggers that must be recreated by hand.'
const QUOTING = 'Line one says "stop" – line two says “go”:\n\tboth of them are 64 characters or more when taken together.'

/** A sub-agent that answers, and a call that receives a message while another call keeps time from saying anything. */
function handOver(answer: string, received: Message): ReplayGraph {
  return graphOf({ agent: { at: [0, 10], out: answer }, next: { at: [20, 30], in: [user('Go on'), received] } })
}

function textSplices(graph: ReplayGraph): TextSplice[] {
  return graph.nodes.flatMap(({ splices }) => splices.filter((splice) => splice.kind === 'text'))
}

function spliced(graph: ReplayGraph): string[] {
  return graph.nodes.flatMap(({ call, splices }) =>
    splices.flatMap((splice) => {
      if (splice.kind !== 'text') return []
      const part = call.messages[splice.message]?.parts[splice.part]
      const text = part?.type === 'text' ? part.text : (part as ToolResultPart).content
      return [text.slice(splice.start, splice.end)]
    }),
  )
}

test('a tool result that is a call’s final text takes it', () => {
  const graph = handOver(` ${ANSWER}\n`, toolResult(`\n${ANSWER} `))
  expect(edgeOf(graph, 'agent', 'next')).toEqual({ from: 'agent', kind: 'hand-off', evidence: 'messages[1] is its final text' })
  expect(textSplices(graph)).toEqual([
    { kind: 'text', message: 1, part: 0, start: 1, end: ANSWER.length + 1, escaped: false, from: 'agent' },
  ])
})

test('a long final text is recognised inside a user message', () => {
  const graph = handOver(ANSWER, user(`Findings:\n${ANSWER}\nWrite the plan.`))
  expect(edgeOf(graph, 'agent', 'next')).toMatchObject({
    kind: 'hand-off',
    evidence: `messages[1] contains its final text (${ANSWER.length} characters)`,
  })
  expect(spliced(graph)).toEqual([ANSWER])
})

test.each([
  ['as JSON.stringify writes it', JSON.stringify({ status: 'ok', result: QUOTING })],
  [
    'in ASCII',
    JSON.stringify({ result: QUOTING }).replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
  ['as a JSON string', JSON.stringify(QUOTING)],
])('a final text inside JSON is recognised %s', (_, content) => {
  const graph = handOver(QUOTING, toolResult(content))
  expect(textSplices(graph)).toMatchObject([{ escaped: true }])
  expect(JSON.parse(`"${spliced(graph)[0]}"`)).toBe(QUOTING)
})

test('a text that JSON leaves as it is still counts as escaped when the part is JSON, and only then', () => {
  expect(textSplices(handOver(ANSWER, toolResult(`{"result":"${ANSWER}"}`)))).toMatchObject([{ escaped: true }])
  expect(textSplices(handOver(ANSWER, toolResult(`{"result":"${ANSWER}"`)))).toMatchObject([{ escaped: false }])
  expect(textSplices(handOver(ANSWER, toolResult(`[note] ${ANSWER}`)))).toMatchObject([{ escaped: false }])
})

test('an answer that is JSON itself is put in as it is', () => {
  const answer = JSON.stringify({ findings: ['three triggers', 'fourteen tables'], verdict: 'recreate by hand' })
  expect(textSplices(handOver(answer, toolResult(`{"result":${answer}}`)))).toMatchObject([{ escaped: false }])
})

test('a short final text counts as a whole part or a whole JSON string, not inside prose', () => {
  const short = 'It is 18 °C in Paris.'
  expect(spliced(handOver(short, toolResult(short)))).toEqual([short])
  expect(spliced(handOver(short, toolResult(`{"temp":"${short}"}`)))).toEqual([short])
  expect(spliced(handOver(short, toolResult(`They say: ${short}`)))).toEqual([])
  expect(spliced(handOver(short, toolResult(`["${short}" and no more`)))).toEqual([])
})

test('the evidence tells in which form the text was found', () => {
  const evidence = (received: Message) => edgeOf(handOver('It is 18 °C in Paris.', received), 'agent', 'next')?.evidence
  expect(evidence(toolResult('It is 18 °C in Paris.'))).toBe('messages[1] is its final text')
  expect(evidence(toolResult('["It is 18 °C in Paris."]'))).toBe('messages[1] holds its final text as a JSON string')
})

test('a long text in a JSON string is found whatever the escapes', () => {
  const [first = '', ...rest] = ANSWER
  const escapes = `\\u${first.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}${rest.join('')}`
  expect(spliced(handOver(ANSWER, toolResult(`{"result":"${escapes}"}`)))).toEqual([escapes])
})

test('words that everyone says hand nothing on', () => {
  for (const word of ['ok', 'Yes.', 'done', 'success', '{}', '[]', 'null'])
    expect(spliced(handOver(word, toolResult(word)))).toEqual([])
  expect(spliced(handOver('completed', toolResult('{"status":"completed"}')))).toEqual([])
})

test('a short text that two calls ended with tells nothing; of a long one the latest counts', () => {
  const twice = (answer: string) =>
    graphOf({
      a: { at: [0, 10], out: answer },
      b: { at: [0, 12], out: answer },
      next: { at: [20, 30], in: [toolResult(answer)] },
    })
  expect(spliced(twice('It is 18 °C.'))).toEqual([])
  expect(textSplices(twice(ANSWER))).toMatchObject([{ from: 'b' }])
})

test('a text that was there before a call ended does not come from it', () => {
  const shared = user(`Translate: ${ANSWER}`)
  const graph = graphOf({
    early: { at: [0, 30], in: [shared] },
    agent: { at: [1, 10], out: ANSWER },
    next: { at: [20, 30], in: [shared, user('Now!')] },
  })
  expect(spliced(graph)).toEqual([])
})

test('several answers in one message each take their own place', () => {
  const other = `${ANSWER.replace('14', '15')} And a fourth one, in the archive.`
  const graph = graphOf({
    a: { at: [0, 10], out: ANSWER },
    b: { at: [0, 12], out: other },
    next: { at: [20, 30], in: [user(`1. ${ANSWER}\n2. ${other}\n3. ${ANSWER}`)] },
  })
  expect(spliced(graph)).toEqual([ANSWER, other, ANSWER])
  expect(textSplices(graph).map(({ from }) => from)).toEqual(['a', 'b', 'a'])
  expect(afterOf(graph)).toMatchObject({ next: ['a', 'b'] })
})

test('the text that accompanies a tool call may be handed on too', () => {
  const graph = graphOf({
    agent: { at: [0, 10], out: assistant(ANSWER, toolCall('finish')) },
    next: { at: [20, 30], in: [toolResult(ANSWER)] },
  })
  expect(spliced(graph)).toEqual([ANSWER])
})

test('later calls that carry the message take it too, without an edge of their own', () => {
  const result = toolResult(ANSWER)
  const graph = graphOf({
    agent: { at: [0, 10], out: ANSWER },
    next: { at: [20, 30], in: [user('Go'), result], out: 'Noted.' },
    last: { at: [40, 50], in: [user('Go'), result, assistant('Noted.'), user('And?')] },
  })
  expect(afterOf(graph)).toEqual({ agent: [], next: ['agent'], last: ['next'] })
  expect(spliced(graph)).toEqual([ANSWER, ANSWER])
})

test('a user message that is an argument of a tool call is the task of a sub-agent', () => {
  const task = 'Find every table with triggers.'
  const graph = graphOf({
    lead: { at: [0, 10], out: assistant('', toolCall('delegate', JSON.stringify({ agent: 'dba', task }))) },
    side: { at: [11, 40] },
    agent: { at: [15, 30], in: [user(task)] },
  })
  expect(edgeOf(graph, 'lead', 'agent')).toMatchObject({
    kind: 'hand-off',
    evidence: 'messages[0] is an argument of its call of delegate',
  })
  expect(textSplices(graph)).toEqual([])
})

test('an argument of a word or two is no task', () => {
  const graph = graphOf({
    lead: { at: [0, 10], out: assistant('', toolCall('weather', '{"city":"Paris, France"}')) },
    other: { at: [5, 30], in: [user('And Rome?')] },
    next: { at: [20, 40], in: [user('Paris, France')] },
  })
  expect(edgeOf(graph, 'lead', 'next')?.kind).toBe('temporal')
})

test('a final text says more than an argument', () => {
  const task = 'Find every table with triggers.'
  const graph = graphOf({
    lead: { at: [0, 10], out: assistant(ANSWER, toolCall('delegate', JSON.stringify({ task }))) },
    agent: { at: [15, 30], in: [user(task), user(ANSWER)] },
  })
  expect(edgeOf(graph, 'lead', 'agent')?.evidence).toBe('messages[1] is its final text')
})
