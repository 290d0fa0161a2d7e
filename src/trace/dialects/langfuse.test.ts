import { expect, test } from 'vitest'
import { callIds, EPOCH_MS, oneCall, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { DEPTH_TOOL, SECOND_INPUT, SECOND_TURN, told } from './told-calls.fixture.ts'

const span = (attributes: Record<string, unknown>, type = 'generation'): SpanSketch => ({
  id: 'a',
  start: 0,
  end: 100,
  attributes: {
    'langfuse.observation.type': type,
    ...Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`langfuse.observation.${key}`, value])),
  },
})
const tell = (attributes: Record<string, unknown>) => told(readFiles([otlpFile([span(attributes)])]))[0]

test('a request with its answer, parameters and tokens', () => {
  expect(
    tell({
      input: JSON.stringify({ messages: SECOND_INPUT, tools: [DEPTH_TOOL] }),
      output: '{"role":"assistant","content":"Brienz is deeper."}',
      'model.name': 'deep-1',
      'model.parameters': '{"temperature":0.2,"max_tokens":-1,"stop_sequences":"{\\"arrayValue\\":{}}"}',
      usage_details: '{"input":58,"output":3,"total":95,"input_cached_tokens":32,"output_reasoning_tokens":2}',
    }),
  ).toEqual({
    model: 'deep-1',
    messages: SECOND_TURN,
    output: 'assistant: Brienz is deeper.',
    tools: ['depth(lake)'],
    params: { temperature: 0.2 },
    usage: { inputTokens: 90, outputTokens: 5, cachedInputTokens: 32, reasoningTokens: 2 },
  })
})

test('details that are part of the counts are not added again', () => {
  const usage = tell({ input: 'hi', usage_details: '{"input":90,"output":5,"total":95,"prompt_details.cache_read":32}' })?.usage
  expect(usage).toEqual({ inputTokens: 90, outputTokens: 5, cachedInputTokens: 32 })
})

test.each([
  ['messages', JSON.stringify(SECOND_INPUT), SECOND_TURN],
  ['messages as structure', SECOND_INPUT, SECOND_TURN],
  ['plain text', 'How deep?', ['user: How deep?']],
  [
    'messages joined to one text',
    'developer: You know lakes.\nuser: How deep?\nIn feet.',
    ['system: You know lakes.', 'user: How deep?\nIn feet.'],
  ],
  ['data', '{"args":["Thun"],"kwargs":{}}', ['user: {"args":["Thun"],"kwargs":{}}']],
])('the input may be %s', (_, input, messages) => {
  expect(tell({ input })?.messages).toEqual(messages)
})

test('data in place of messages is said to be that', () => {
  const { warnings } = readFiles([otlpFile([span({ input: '{"args":["Thun"]}', output: 'deep' })])])
  expect(warnings.map(({ code }) => code)).toEqual(['input-not-messages'])
})

test('tools that stand among the messages are definitions', () => {
  const input = [
    { role: 'user', content: 'How deep?' },
    { role: 'tool', content: DEPTH_TOOL },
  ]
  expect(tell({ input: JSON.stringify(input) })).toMatchObject({ messages: ['user: How deep?'], tools: ['depth(lake)'] })
})

test('a long list with tools in it keeps its history from call to call', () => {
  const long = 'deep and blue '.repeat(300)
  const definition = { role: 'tool', content: DEPTH_TOOL }
  const input = (length: number) => [
    ...Array.from({ length }, (_, k) => ({ role: k % 2 === 0 ? 'user' : 'assistant', content: `${k} ${long}` })),
    definition,
  ]
  const spans = [1, 3, 5].map((length) => ({
    ...span({ input: JSON.stringify(input(length)), output: `answer ${length}` }),
    id: `call-${length}`,
    start: length * 200,
    end: length * 200 + 100,
  }))
  expect(told(readFiles([otlpFile(spans)])).map(({ messages, tools }) => [messages.length, tools])).toEqual([
    [1, ['depth(lake)']],
    [3, ['depth(lake)']],
    [5, ['depth(lake)']],
  ])
})

test.each([
  ['text', 'Deep.', 'assistant: Deep.'],
  ['text that looks like data', '{ "metres": 217 }', 'assistant: { "metres": 217 }'],
  ['nothing, as Python prints it', 'None', null],
])('the answer may be %s', (_, output, expected) => {
  expect(tell({ input: 'How deep?', output })?.output).toBe(expected)
})

test('tool calls among the additional arguments of LangChain', () => {
  const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'depth', arguments: { lake: 'Thun' } } }]
  const output = { role: 'assistant', content: '', additional_kwargs: { tool_calls, refusal: null } }
  expect(tell({ input: 'How deep?', output: JSON.stringify(output) })?.output).toBe('assistant: c1=depth({"lake":"Thun"})')
})

test('parallel calls that a stream glued together are told apart, with a warning', () => {
  const output = { tool_calls: [{ function: { name: 'depth', arguments: '{"lake":"Thun"}{"lake":"Brienz"}' } }] }
  const reading = readFiles([otlpFile([span({ input: 'How deep?', output: JSON.stringify(output) })])])
  expect(told(reading)[0]?.output).toBe('assistant: =depth({"lake":"Thun"}) | =depth({"lake":"Brienz"})')
  expect(reading.warnings.map(({ code }) => code)).toContain('glued-tool-calls')
})

test('the first token is told by a quoted time', () => {
  const time = JSON.stringify(new Date(EPOCH_MS + 42).toISOString())
  expect(oneCall(readFiles([otlpFile([span({ input: 'hi', completion_start_time: time })])])).ttftMs).toBe(42)
})

test.each(['agent', 'tool', 'chain', 'retriever', 'embedding', 'evaluator', 'guardrail', 'event'])(
  'a span of type %s is no call',
  (type) => {
    const other = { ...span({ input: JSON.stringify(SECOND_INPUT) }, type), id: 'other' }
    expect(callIds(readFiles([otlpFile([other, span({ input: 'hi' })])]))).toEqual([['a']])
  },
)
