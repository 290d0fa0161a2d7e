import { expect, test } from 'vitest'
import { otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { told } from './told-calls.fixture.ts'

const event = (id: string, name: string, start: number, attributes: Record<string, unknown> = {}): SpanSketch => ({
  id: id.padEnd(16, '0'),
  name,
  scope: 'openinference.instrumentation.beeai',
  start,
  end: 1_000,
  attributes: { 'openinference.span.kind': name.startsWith('backend') ? 'LLM' : 'CHAIN', ...attributes },
})

const input = (...messages: object[]) => ({ 'llm.model_name': 'deep-1', 'input.value': JSON.stringify({ messages }) })
const QUESTION = { role: 'user', content: 'How deep is Thun?' }
const ANSWER = { role: 'assistant', content: 'Function Name: depth' }

const SPANS = [
  event('a', 'iteration-1', 0),
  event('b', 'backend.openai.chat.start-1', 10, input(QUESTION)),
  event('c', 'agent.react.update-1', 20),
  event('d', 'tool.depth.start-1', 50),
  event('e', 'backend.openai.chat.start-2', 80, input(QUESTION, ANSWER)),
  event('f', 'backend.openai.chat.success-2', 120, { 'llm.output_messages.7.message.content': 'piece' }),
]

test('a request is a call that ends where the next thing begins, pieces of its answer are none', () => {
  const reading = readFiles([otlpFile(SPANS)])
  expect(told(reading).map(({ messages }) => messages)).toEqual([
    ['user: How deep is Thun?'],
    ['user: How deep is Thun?', 'assistant: Function Name: depth'],
  ])
  expect(reading.sessions[0]?.calls.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [0, 40],
    [70, 110],
  ])
  expect(reading.warnings.map(({ code }) => code)).toEqual(['output-not-recorded'])
})

test('the next thing in another trace ends nothing', () => {
  const [, call] = SPANS
  const other = { ...event('d', 'tool.depth.start-1', 50), trace: 'f'.repeat(32) }
  const reading = readFiles([otlpFile([call as SpanSketch, other as SpanSketch])])
  expect(reading.sessions[0]?.calls.map(({ startMs, endMs }) => endMs - startMs)).toEqual([990])
})
