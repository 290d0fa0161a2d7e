import { expect, test } from 'vitest'
import { otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { told } from './told-calls.fixture.ts'

const wrapped = (text: string) => JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: text }] }])

const span = (input: string, output: string): SpanSketch => ({
  id: 'bbbbbbbbbbbbbbbb',
  name: 'chat deep-1',
  scope: '@traceloop/instrumentation-openai',
  start: 0,
  end: 100,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'deep-1',
    'gen_ai.input.messages': input,
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: output }] }]),
  },
})

const ITEMS = [
  { role: 'user', content: 'How deep is Thun?' },
  { type: 'reasoning', summary: [{ type: 'summary_text', text: 'A lake.' }] },
  { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'depth', arguments: '{"lake":"Thun"}' },
  { type: 'function_call_output', call_id: 'c1', output: '217 m' },
]

test('the items of a request are read out of the one text they were put in, and what is lost is said', () => {
  const reading = readFiles([otlpFile([span(wrapped(JSON.stringify(ITEMS)), 'Deep.')])])
  expect(told(reading)[0]).toMatchObject({
    messages: ['user: How deep is Thun?', 'assistant: (A lake.) | c1=depth({"lake":"Thun"})', 'tool: c1→217 m'],
    output: 'assistant: Deep.',
  })
  expect(reading.warnings.map(({ code }) => code)).toContain('tool-calls-not-recorded')
})

test('an empty answer is one that was not recorded', () => {
  expect(told(readFiles([otlpFile([span(wrapped(JSON.stringify(ITEMS)), '')])]))[0]).toMatchObject({ output: null })
})

test.each([['[1] is a footnote'], ['[{"lake":"Thun"}]'], ['How deep?']])('a chat whose text is %j stays a chat', (text) => {
  const reading = readFiles([otlpFile([span(wrapped(text), 'Deep.')])])
  expect(told(reading)[0]).toMatchObject({ messages: [`user: ${text}`] })
  expect(reading.warnings).toEqual([])
})
