import { expect, test } from 'vitest'
import { otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { told } from './told-calls.fixture.ts'

const span = (attributes: Record<string, unknown>, events: SpanSketch['events'] = []): SpanSketch => ({
  id: 'a',
  start: 0,
  end: 50,
  events,
  attributes: {
    'telemetry.sdk.name': 'openlit',
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'deep-1',
    'gen_ai.request.max_tokens': -1,
    ...attributes,
  },
})

test('the system prompt that stands in two places counts once', () => {
  const text = (content: string) => [{ type: 'text', content }]
  const attributes = {
    'gen_ai.system_instructions': JSON.stringify(text('You know lakes.')),
    'gen_ai.input.messages': JSON.stringify([
      { role: 'system', parts: text('You know lakes.') },
      { role: 'user', parts: text('How deep?') },
      { role: 'tool', parts: text('217 m') },
    ]),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: text('Deep.'), finish_reason: 'stop' }]),
  }
  const reading = readFiles([otlpFile([span(attributes)])])
  expect(told(reading)[0]).toMatchObject({
    messages: ['system: You know lakes.', 'user: How deep?', 'tool: →217 m'],
    output: 'assistant: Deep.',
    params: {},
  })
  expect(reading.warnings.map(({ code }) => code)).toEqual(['tool-calls-without-id'])
})

test.each([
  ['Deep.', 'assistant: Deep.'],
  ['None', null],
])('events of older versions join all messages to one text, and %s is the answer', (completion, output) => {
  const events = [
    { name: 'gen_ai.content.prompt', attributes: { 'gen_ai.prompt': 'system: You know lakes.\nuser: How deep?\nIn feet.' } },
    { name: 'gen_ai.content.completion', attributes: { 'gen_ai.completion': completion } },
  ]
  expect(told(readFiles([otlpFile([span({}, events)])]))[0]).toMatchObject({
    messages: ['system: You know lakes.', 'user: How deep?\nIn feet.'],
    output,
  })
})

test('without content, the error names the setting', () => {
  expect(() => readFiles([otlpFile([span({})])])).toThrow('capture_message_content=True')
})
