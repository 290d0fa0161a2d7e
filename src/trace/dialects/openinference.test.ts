import { expect, test } from 'vitest'
import { callIds, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { DEPTH_TOOL, SECOND_INPUT, SECOND_TURN, told } from './told-calls.fixture.ts'

const span = (attributes: Record<string, unknown>, more: Partial<SpanSketch> = {}): SpanSketch => ({
  id: 'bbbbbbbbbbbbbbbb',
  name: 'OpenAI Chat Completions',
  start: 0,
  end: 100,
  ...more,
  attributes: { 'openinference.span.kind': 'LLM', 'llm.model_name': 'deep-1', ...attributes },
})

const FLAT_INPUT = {
  'llm.input_messages.0.message.role': 'system',
  'llm.input_messages.0.message.content': 'You know lakes.',
  'llm.input_messages.1.message.role': 'user',
  'llm.input_messages.1.message.contents.0.message_content.type': 'text',
  'llm.input_messages.1.message.contents.0.message_content.text': 'How deep are Thun and Brienz?',
  'llm.input_messages.2.message.role': 'assistant',
  'llm.input_messages.2.message.tool_calls.0.tool_call.id': 'c1',
  'llm.input_messages.2.message.tool_calls.0.tool_call.function.name': 'depth',
  'llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments': '{"lake":"Thun"}',
  'llm.input_messages.2.message.tool_calls.1.tool_call.id': 'c2',
  'llm.input_messages.2.message.tool_calls.1.tool_call.function.name': 'depth',
  'llm.input_messages.2.message.tool_calls.1.tool_call.function.arguments': '{"lake":"Brienz"}',
  'llm.input_messages.3.message.role': 'tool',
  'llm.input_messages.3.message.tool_call_id': 'c1',
  'llm.input_messages.3.message.content': '217 m',
  'llm.input_messages.4.message.role': 'tool',
  'llm.input_messages.4.message.tool_call_id': 'c2',
  'llm.input_messages.4.message.content': '260 m',
}

const FLAT_OUTPUT = {
  'llm.output_messages.0.message.role': 'assistant',
  'llm.output_messages.0.message.content': 'Brienz is deeper.',
}

const USAGE = { 'llm.token_count.prompt': 90, 'llm.token_count.completion': 5, 'llm.token_count.prompt_details.cache_read': 64 }

const EXPECTED = {
  model: 'deep-1',
  messages: SECOND_TURN,
  output: 'assistant: Brienz is deeper.',
  tools: ['depth(lake)'],
  params: { temperature: 0.2, maxTokens: 50 },
  usage: { inputTokens: 90, outputTokens: 5, cachedInputTokens: 64 },
}

test('flattened messages, tools, parameters and tokens', () => {
  const flat = span({
    ...FLAT_INPUT,
    ...FLAT_OUTPUT,
    ...USAGE,
    'llm.tools.0.tool.json_schema': JSON.stringify(DEPTH_TOOL),
    'llm.invocation_parameters': '{"temperature":0.2,"max_tokens":50}',
  })
  expect(told(readFiles([otlpFile([flat])]))).toEqual([EXPECTED])
})

test('a position that is missing before a tool result is a turn that was not recorded', () => {
  const attributes = {
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'How deep is Thun?',
    'llm.input_messages.2.message.role': 'tool',
    'llm.input_messages.2.message.content': '217 m',
    // Other gaps close.
    'llm.input_messages.5.message.role': 'user',
    'llm.input_messages.5.message.content': 'And Brienz?',
  }
  const reading = readFiles([otlpFile([span({ ...attributes, ...FLAT_OUTPUT })])])
  expect(told(reading)[0]?.messages).toEqual(['user: How deep is Thun?', 'assistant: ', 'tool: →217 m', 'user: And Brienz?'])
  expect(reading.warnings.map(({ code }) => code)).toContain('turn-not-recorded')
})

test('messages make a call of a span without a kind in its scope', () => {
  const { 'openinference.span.kind': _, ...attributes } = span({ ...FLAT_INPUT, ...FLAT_OUTPUT }).attributes as Record<
    string,
    unknown
  >
  const flat = { span_id: 'a', start_time: 1_790_000_000, end_time: 1_790_000_001, attributes }
  const read = (scope: string) => readFiles([JSON.stringify({ spans: [{ ...flat, scope }] })], 'skip')
  expect(told(read('openinference'))).toMatchObject([{ output: EXPECTED.output }])
  expect(told(read('another'))).toEqual([])
})

test('schemas of tools that an export has parsed', () => {
  const attributes = { ...span({ ...FLAT_INPUT, ...FLAT_OUTPUT }).attributes, 'llm.tools.0.tool.json_schema': DEPTH_TOOL }
  const flat = { span_id: 'a', start_time: 1_790_000_000, end_time: 1_790_000_001, attributes }
  expect(told(readFiles([JSON.stringify({ spans: [flat] })]))[0]).toMatchObject({ tools: ['depth(lake)'] })
})

test('the request and response as the client had them win over the flattened form', () => {
  const raw = span({
    // The flattened form has lost the results.
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'How deep',
    'input.value': JSON.stringify({
      model: 'deep-1',
      messages: SECOND_INPUT,
      tools: [DEPTH_TOOL],
      temperature: 0.2,
      max_tokens: 50,
    }),
    'input.mime_type': 'application/json',
    'output.value': JSON.stringify({
      id: 'chatcmpl-1',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Brienz is deeper.' }, finish_reason: 'stop' }],
    }),
    'output.mime_type': 'application/json',
    ...USAGE,
  })
  expect(told(readFiles([otlpFile([raw])]))).toEqual([EXPECTED])
})

test('an answer in plain text beside flattened tool calls', () => {
  const streamed = span({ ...FLAT_INPUT, ...FLAT_OUTPUT, 'output.value': 'Brienz is deeper.', 'output.mime_type': 'text/plain' })
  expect(told(readFiles([otlpFile([streamed])]))[0]).toMatchObject({ output: 'assistant: Brienz is deeper.' })
})

test("LangChain's batch of one, in its own serialisation", () => {
  const message = (kind: string, kwargs: object) => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain_core', 'messages', kind],
    kwargs,
  })
  const run = span({
    'input.value': JSON.stringify({
      messages: [
        [message('SystemMessage', { content: 'You know lakes.' }), message('HumanMessage', { content: 'How deep is Thun?' })],
      ],
    }),
    'output.value': JSON.stringify({
      generations: [
        [
          {
            text: '',
            message: message('AIMessage', { content: '', tool_calls: [{ name: 'depth', args: { lake: 'Thun' }, id: 'c1' }] }),
          },
        ],
      ],
    }),
  })
  expect(told(readFiles([otlpFile([run])]))[0]).toMatchObject({
    messages: ['system: You know lakes.', 'user: How deep is Thun?'],
    output: 'assistant: c1=depth({"lake":"Thun"})',
  })
})

test('an Anthropic request whose system prompt stands apart', () => {
  const anthropic = span({
    'input.value': JSON.stringify({
      model: 'deep-1',
      system: 'You know lakes.',
      max_tokens: 50,
      messages: [
        { role: 'user', content: 'How deep are Thun and Brienz?' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'c1', name: 'depth', input: { lake: 'Thun' } },
            { type: 'tool_use', id: 'c2', name: 'depth', input: { lake: 'Brienz' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: '217 m' },
            { type: 'tool_result', tool_use_id: 'c2', content: '260 m' },
          ],
        },
      ],
    }),
    ...FLAT_OUTPUT,
  })
  expect(told(readFiles([otlpFile([anthropic])]))[0]).toMatchObject({ messages: SECOND_TURN, params: { maxTokens: 50 } })
})

test('completions have prompts instead of messages', () => {
  const completion = span({ 'llm.prompts': ['Lakes are'], ...FLAT_OUTPUT })
  expect(told(readFiles([otlpFile([completion])]))[0]).toMatchObject({ messages: ['user: Lakes are'] })
})

test('other kinds are structure, whatever they carry', () => {
  const others = ['AGENT', 'CHAIN', 'TOOL', 'EMBEDDING', 'RETRIEVER'].map((kind, k) =>
    span({ ...FLAT_INPUT, 'openinference.span.kind': kind }, { id: `aaaaaaaaaaaaaaa${k}` }),
  )
  expect(callIds(readFiles([otlpFile([...others, span({ ...FLAT_INPUT, ...FLAT_OUTPUT })])]))).toEqual([['bbbbbbbbbbbbbbbb']])
})

test('hostile positions and names do no harm', () => {
  const hostile = span({
    ...FLAT_INPUT,
    ...FLAT_OUTPUT,
    'llm.input_messages.999999999.message.role': 'user',
    'llm.input_messages.999999999.message.content': 'far out',
    'llm.input_messages.__proto__.message.role': 'user',
  })
  const [call] = told(readFiles([otlpFile([hostile])], 'skip'))
  expect(call?.messages.length ?? 0).toBeLessThan(10)
  expect(({} as Record<string, unknown>).message).toBeUndefined()
})
