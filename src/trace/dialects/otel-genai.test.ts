import { expect, test } from 'vitest'
import { anyValue, flatFile, oneCall, otlpFile, readFiles } from '../trace.fixture.ts'

const INPUT = [{ role: 'user', content: 'hi' }]

function readCall(attributes: Record<string, unknown>, onInvalidTrace: 'fail' | 'skip' = 'fail') {
  const span = {
    id: 'a',
    start: 0,
    end: 1,
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': INPUT, ...attributes },
  }
  return readFiles([flatFile([span])], onInvalidTrace)
}

const call = (attributes: Record<string, unknown>) => oneCall(readCall(attributes))
const texts = (messages: readonly { role: string; parts: readonly object[] }[]) =>
  messages.map(
    ({ role, parts }) => `${role}: ${parts.map((part) => ('text' in part ? part.text : JSON.stringify(part))).join('|')}`,
  )

test.each(['chat', 'text_completion', 'generate_content'])('%s is a call', (operation) => {
  expect(call({ 'gen_ai.operation.name': operation }).messages).toHaveLength(1)
})

test.each(['embeddings', 'execute_tool', 'invoke_agent', 'agent_step', null])('%s is no call', (operation) => {
  expect(() => readCall({ 'gen_ai.operation.name': operation })).toThrow('No LLM call among its 1 spans')
})

test.each<[string, unknown]>([
  ['JSON text', JSON.stringify(INPUT)],
  ['structured', INPUT],
  ['a single message', JSON.stringify(INPUT[0])],
  ['parts', [{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }]],
  ['plain text', 'hi'],
])('input: %s', (_, input) => {
  const expected = ['user: hi']
  expect(texts(call({ 'gen_ai.input.messages': input }).messages)).toEqual(expected)
  const span = {
    id: '62e76356f226e033',
    start: 0,
    end: 1,
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': input },
  }
  expect(texts(oneCall(readFiles([otlpFile([span])])).messages)).toEqual(expected)
})

test.each<[string, unknown, string]>([
  ['messages as JSON', JSON.stringify(INPUT), 'user: hi'],
  ['a request as JSON', JSON.stringify({ model: 'm', messages: INPUT }), 'user: hi'],
  ['plain text', 'hi', 'user: hi'],
  ['text that looks like a list', '[1] hi', 'user: [1] hi'],
  ['text that is somebody else’s JSON', '{"question":"hi"}', 'user: {"question":"hi"}'],
  ['text that looks like JSON', '{"a": nope}', 'user: {"a": nope}'],
])('input of the older form: %s', (_, prompt, expected) => {
  expect(texts(call({ 'gen_ai.input.messages': null, 'gen_ai.prompt': prompt }).messages)).toEqual([expected])
})

test.each<[string, unknown, string[]]>([
  ['parts as JSON', JSON.stringify([{ type: 'text', content: 'be good' }]), ['system: be good', 'user: hi']],
  [
    'structured parts',
    [
      { type: 'text', content: 'be ' },
      { type: 'text', content: 'good' },
    ],
    ['system: be |good', 'user: hi'],
  ],
  ['plain text', 'be good', ['system: be good', 'user: hi']],
  ['none', '[]', ['user: hi']],
])('system instructions: %s', (_, instructions, expected) => {
  expect(texts(call({ 'gen_ai.system_instructions': instructions }).messages)).toEqual(expected)
})

test('system instructions that the input repeats are there once', () => {
  const input = [{ role: 'system', content: 'be good' }, ...INPUT]
  expect(texts(call({ 'gen_ai.system_instructions': 'be good', 'gen_ai.input.messages': input }).messages)).toEqual([
    'system: be good',
    'user: hi',
  ])
})

test.each<[string, string, unknown, string]>([
  [
    'messages',
    'gen_ai.output.messages',
    JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'yes' }], finish_reason: 'stop' }]),
    'yes',
  ],
  ['structured messages', 'gen_ai.output.messages', [{ role: 'assistant', content: 'yes' }], 'yes'],
  [
    'a turn in pieces',
    'gen_ai.output.messages',
    [
      { role: 'assistant', content: 'a' },
      { role: 'assistant', content: '', tool_calls: [] },
    ],
    'a',
  ],
  ['without a role', 'gen_ai.output.messages', [{ content: 'yes' }], 'yes'],
  [
    'choices',
    'gen_ai.output.messages',
    {
      choices: [
        { index: 0, message: { content: 'yes' } },
        { index: 1, message: { content: 'no' } },
      ],
    },
    'yes',
  ],
  [
    'alternatives',
    'gen_ai.output.messages',
    [
      { role: 'assistant', content: 'a' },
      { role: 'assistant', content: 'b' },
    ],
    'a',
  ],
  ['text', 'gen_ai.output.text', 'yes', 'yes'],
  ['text that is JSON', 'gen_ai.output.text', '{"role":"x"}', '{"role":"x"}'],
  ['a completion as text', 'gen_ai.completion', 'yes', 'yes'],
  ['a completion as JSON', 'gen_ai.completion', '{"text":"yes","finish_reason":"stop"}', 'yes'],
  ['a completion as messages', 'gen_ai.completion', '[{"role":"assistant","content":"yes"}]', 'yes'],
  ['a structured answer', 'gen_ai.completion', '{"answer":42}', '{"answer":42}'],
  ['a text with braces', 'gen_ai.completion', '{"a": nope}', '{"a": nope}'],
])('output: %s', (_, key, value, text) => {
  expect(call({ [key]: value }).output).toEqual({ role: 'assistant', parts: [{ type: 'text', text }] })
})

test.each<[string, unknown]>([
  ['missing', null],
  ['without parts', [{ role: 'assistant', parts: [] }]],
  ['an empty text', [{ role: 'assistant', parts: [{ type: 'text', content: '' }] }]],
])('no output: %s', (_, output) => {
  expect(call({ 'gen_ai.output.messages': output }).output).toBeNull()
})

test('tool calls, reasoning and text of an output are one message', () => {
  const parts = [
    { type: 'reasoning', content: 'hm' },
    { type: 'text', content: 'look' },
    { type: 'tool_call', id: 'c1', name: 'ls', arguments: { a: 1 } },
    { type: 'tool_call', id: 'c2', name: 'ls', arguments: '' },
  ]
  expect(call({ 'gen_ai.output.messages': [{ role: 'assistant', parts, finish_reason: 'tool_call' }] }).output?.parts).toEqual([
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'look' },
    { type: 'tool_call', id: 'c1', name: 'ls', arguments: '{"a":1}' },
    { type: 'tool_call', id: 'c2', name: 'ls', arguments: '' },
  ])
})

test('tool definitions, as JSON text or structured', () => {
  const tools = [
    { type: 'function', function: { name: 'ls', parameters: { type: 'object' } } },
    { name: 'cat', inputSchema: {} },
  ]
  const expected = [
    { name: 'ls', parameters: { type: 'object' } },
    { name: 'cat', parameters: {} },
  ]
  expect(call({ 'gen_ai.tool.definitions': JSON.stringify(tools) }).tools).toEqual(expected)
  expect(call({ 'gen_ai.tool.definitions': tools }).tools).toEqual(expected)
})

test.each<[object, object]>([
  [
    { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 2 },
    { inputTokens: 10, outputTokens: 2 },
  ],
  [
    { 'gen_ai.usage.prompt_tokens': '10', 'gen_ai.usage.completion_tokens': '2' },
    { inputTokens: 10, outputTokens: 2 },
  ],
  [
    { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.cache_read.input_tokens': 4, 'gen_ai.usage.cache_creation.input_tokens': 3 },
    { inputTokens: 10, cachedInputTokens: 4, cacheWriteTokens: 3 },
  ],
  [
    { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.cache_read_input_tokens': 4 },
    { inputTokens: 10, cachedInputTokens: 4 },
  ],
  [
    { 'gen_ai.usage.input_tokens': 1, 'gen_ai.usage.cache_read_input_tokens': 4, 'gen_ai.usage.cache_write.input_tokens': 3 },
    { inputTokens: 8, cachedInputTokens: 4, cacheWriteTokens: 3 },
  ],
  [
    { 'gen_ai.usage.output_tokens': 9, 'gen_ai.usage.reasoning.output_tokens': 5 },
    { outputTokens: 9, reasoningTokens: 5 },
  ],
  [
    { 'gen_ai.usage.input_tokens': 'many', 'gen_ai.usage.output_tokens': -1, 'gen_ai.usage.prompt_tokens': 7 },
    { inputTokens: 7 },
  ],
])('usage %j', (attributes, usage) => {
  expect(call({ ...attributes }).usage).toEqual(usage)
})

test('no usage is null', () => {
  expect(call({}).usage).toBeNull()
})

test('request parameters, model and time to first token', () => {
  const read = call({
    'gen_ai.request.model': 'asked',
    'gen_ai.response.model': 'answered',
    'gen_ai.request.max_tokens': 100,
    'gen_ai.request.temperature': '0.5',
    'gen_ai.request.top_p': 1,
    'gen_ai.request.top_k': 40,
    'gen_ai.request.seed': 7,
    'gen_ai.request.stop_sequences': ['a', 'b'],
    'gen_ai.request.frequency_penalty': 0.1,
    'gen_ai.request.presence_penalty': 0,
    'gen_ai.request.stream': true,
    'gen_ai.response.time_to_first_chunk': 0.25,
  })
  expect(read).toMatchObject({
    model: 'asked',
    params: {
      maxTokens: 100,
      temperature: 0.5,
      topP: 1,
      topK: 40,
      seed: 7,
      stop: ['a', 'b'],
      frequencyPenalty: 0.1,
      presencePenalty: 0,
      stream: true,
    },
    ttftMs: 250,
  })
  expect(call({ 'gen_ai.response.model': 'answered' })).toMatchObject({ model: 'answered', params: {} })
})

test('attributes keep labels and leave content out', () => {
  const { attributes } = call({
    'gen_ai.request.model': 'm',
    'gen_ai.usage.prompt_tokens': 3,
    'gen_ai.output.text': 'secret',
    'gen_ai.system_instructions': 'secret',
    'gen_ai.response.finish_reasons': ['stop'],
    note: 'x'.repeat(10_000),
    data: '{"secret":1}',
    constructor: 'x',
    ok: true,
  })
  expect(attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.usage.prompt_tokens': 3,
    'gen_ai.response.finish_reasons': 'stop',
    ok: true,
  })
})

test.each([
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.tool.definitions',
  'gen_ai.prompt',
  'gen_ai.completion',
])('JSON that is cut off in %s names the place and the likely cause', (key) => {
  const cut = JSON.stringify([{ role: 'user', name: 'ls', content: 'x'.repeat(500) }]).slice(0, 300)
  const attributes = { ...(key === 'gen_ai.prompt' ? { 'gen_ai.input.messages': null } : {}), [key]: cut }
  expect(() => readCall(attributes)).toThrow(
    `a: span a "a", ${key}: The JSON is cut off after 300 characters: likely a limit on the length of attribute values`,
  )
  expect(readCall(attributes, 'skip')).toMatchObject({
    sessions: [],
    warnings: [
      { code: 'invalid-trace-skipped', where: 'a' },
      { code: 'trace-without-calls-skipped', where: 'a' },
    ],
  })
})

test('JSON that is broken in the middle names the character', () => {
  expect(() => readCall({ 'gen_ai.input.messages': '[{"role":"user",content:"hi"}]' })).toThrow(
    'gen_ai.input.messages: Not JSON: unexpected "content:\\"hi\\"}]" at character 16 of 30.',
  )
})

test('structured values of OTLP read like JSON text', () => {
  const messages = [
    { role: 'assistant', parts: [{ type: 'tool_call', id: null, name: 'ls', arguments: { a: [1, { b: null }] } }] },
  ]
  const span = {
    id: '62e76356f226e033',
    start: 0,
    end: 1,
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': [...INPUT, ...messages] },
  }
  expect(anyValue(messages)).toHaveProperty('arrayValue')
  expect(oneCall(readFiles([otlpFile([span])])).messages[1]?.parts).toEqual([
    { type: 'tool_call', id: '', name: 'ls', arguments: '{"a":[1,{"b":null}]}' },
  ])
})
