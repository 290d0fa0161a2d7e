import { expect, test } from 'vitest'
import { anyValue, EPOCH_MS, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { SECOND_TURN, told } from './told-calls.fixture.ts'

const ID = 'bbbbbbbbbbbbbbbb'
const TRACE = '0123456789abcdef0123456789abcdef'

const span = (attributes: Record<string, unknown> = {}): SpanSketch => ({
  id: ID,
  trace: TRACE,
  name: 'chat deep-1',
  start: 0,
  end: 100,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'deep-1',
    'gen_ai.usage.output_tokens': 5,
    ...attributes,
  },
})

const attributesOf = (object: Record<string, unknown>) =>
  Object.entries(object).map(([key, value]) => ({ key, value: anyValue(value) }))

const log = (name: string, body: object, attributes: Record<string, unknown> = {}) => ({
  timeUnixNano: `${EPOCH_MS}000000`,
  traceId: TRACE,
  spanId: ID,
  body: anyValue(body),
  attributes: attributesOf({ 'event.name': name, ...attributes }),
})

const toolCall = (id: string, lake: string) => ({
  id,
  type: 'function',
  function: { name: 'depth', arguments: `{"lake":"${lake}"}` },
})

const MESSAGES: [string, object][] = [
  ['gen_ai.system.message', { content: 'You know lakes.' }],
  ['gen_ai.user.message', { content: 'How deep are Thun and Brienz?' }],
  ['gen_ai.assistant.message', { tool_calls: [toolCall('c1', 'Thun'), toolCall('c2', 'Brienz')] }],
  ['gen_ai.tool.message', { id: 'c1', content: '217 m' }],
  ['gen_ai.tool.message', { id: 'c2', content: '260 m' }],
]

const EXPECTED = { model: 'deep-1', messages: SECOND_TURN, output: 'assistant: Brienz is deeper.', usage: { outputTokens: 5 } }

function withEvents(events: readonly [string, Record<string, unknown>][], attributes: Record<string, unknown> = {}): string {
  const file = JSON.parse(otlpFile([span(attributes)]))
  file.resourceSpans[0].scopeSpans[0].spans[0].events = events.map(([name, fields]) => ({
    name,
    timeUnixNano: `${EPOCH_MS}000000`,
    attributes: attributesOf(fields),
  }))
  return JSON.stringify(file)
}

test('a log record for each message, in the same file or another', () => {
  const choice = log('gen_ai.choice', {
    index: 0,
    finish_reason: 'stop',
    message: { role: 'assistant', content: 'Brienz is deeper.' },
  })
  const logs = [...MESSAGES.map(([name, body]) => log(name, body)), choice]
  expect(told(readFiles([otlpFile([span()], logs)]))).toMatchObject([EXPECTED])
  const apart = [otlpFile([span()]), otlpFile([], logs)]
  expect(told(readFiles(apart))).toMatchObject([EXPECTED])
  expect(told(readFiles(apart.reverse()))).toMatchObject([EXPECTED])
})

test('an event of the span for each message, values as JSON text', () => {
  const events = MESSAGES.map(([name, body]): [string, Record<string, unknown>] => [
    name,
    Object.fromEntries(
      Object.entries(body).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  ])
  const choice: [string, Record<string, unknown>] = [
    'gen_ai.choice',
    { index: 0, message: JSON.stringify({ role: 'assistant', content: 'Brienz is deeper.' }) },
  ]
  expect(told(readFiles([withEvents([...events, choice])]))).toMatchObject([EXPECTED])
})

const OUTPUT_MESSAGES = [{ role: 'assistant', parts: [{ type: 'text', content: 'Brienz is deeper.' }] }]
const INPUT_MESSAGES = [
  { role: 'user', parts: [{ type: 'text', content: 'How deep are Thun and Brienz?' }] },
  {
    role: 'assistant',
    parts: ['Thun', 'Brienz'].map((lake, k) => ({ type: 'tool_call', id: `c${k + 1}`, name: 'depth', arguments: { lake } })),
  },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: '217 m' }] },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c2', response: '260 m' }] },
]

test('all in one event of details, or an attribute at a time', () => {
  const name = 'gen_ai.client.inference.operation.details'
  const instructions = { 'gen_ai.system_instructions': [{ type: 'text', content: 'You know lakes.' }] }
  const input = { 'gen_ai.input.messages': INPUT_MESSAGES }
  const output = { 'gen_ai.output.messages': OUTPUT_MESSAGES }
  const whole = [{ ...log(name, {}, { ...instructions, ...input, ...output }), eventName: name }]
  expect(told(readFiles([otlpFile([span()], whole)]))).toMatchObject([EXPECTED])
  const split = [instructions, input, output].map((attributes) => log(name, {}, attributes))
  expect(told(readFiles([otlpFile([span()], split)]))).toMatchObject([EXPECTED])
})

test('the prompt and completion of the first conventions', () => {
  const events: [string, Record<string, unknown>][] = [
    ['gen_ai.content.prompt', { 'gen_ai.prompt': JSON.stringify([{ role: 'user', content: 'How deep?' }]) }],
    ['gen_ai.content.completion', { 'gen_ai.completion': JSON.stringify([{ role: 'assistant', content: 'Very.' }]) }],
  ]
  expect(told(readFiles([withEvents(events)]))).toMatchObject([{ messages: ['user: How deep?'], output: 'assistant: Very.' }])
})

test('what attributes hold wins over events', () => {
  const text = withEvents([['gen_ai.user.message', { content: 'from an event' }]], {
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: 'from an attribute' }]),
    'gen_ai.output.messages': JSON.stringify(OUTPUT_MESSAGES),
  })
  expect(told(readFiles([text]))).toMatchObject([{ messages: ['user: from an attribute'] }])
})

test('events without content say how to have it recorded', () => {
  const empty = [log('gen_ai.user.message', {}), log('gen_ai.choice', { index: 0, finish_reason: 'stop', message: {} })]
  expect(() => readFiles([otlpFile([span()], empty)])).toThrow(/OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true/)
})
