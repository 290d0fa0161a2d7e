import { expect, test } from 'vitest'
import { callIds, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { SECOND_TURN, told } from './told-calls.fixture.ts'

const span = (attributes: Record<string, unknown>, more: Partial<SpanSketch> = {}): SpanSketch => ({
  id: 'bbbbbbbbbbbbbbbb',
  name: 'openai.chat',
  start: 0,
  end: 100,
  ...more,
  attributes: { 'llm.request.type': 'chat', 'gen_ai.system': 'OpenAI', 'gen_ai.request.model': 'deep-1', ...attributes },
})

const INPUT = {
  'gen_ai.prompt.0.role': 'system',
  'gen_ai.prompt.0.content': 'You know lakes.',
  'gen_ai.prompt.1.role': 'user',
  'gen_ai.prompt.1.content': '[{"type":"text","text":"How deep are Thun and Brienz?"}]',
  'gen_ai.prompt.2.role': 'assistant',
  'gen_ai.prompt.2.tool_calls.0.id': 'c1',
  'gen_ai.prompt.2.tool_calls.0.name': 'depth',
  'gen_ai.prompt.2.tool_calls.0.arguments': '{"lake":"Thun"}',
  'gen_ai.prompt.2.tool_calls.1.id': 'c2',
  'gen_ai.prompt.2.tool_calls.1.name': 'depth',
  'gen_ai.prompt.2.tool_calls.1.arguments': '{"lake":"Brienz"}',
  'gen_ai.prompt.3.role': 'tool',
  'gen_ai.prompt.3.tool_call_id': 'c1',
  'gen_ai.prompt.3.content': '217 m',
  'gen_ai.prompt.4.role': 'tool',
  'gen_ai.prompt.4.tool_call_id': 'c2',
  'gen_ai.prompt.4.content': '260 m',
}

test.each(['parameters', 'arguments'])('messages, answer, tools with their schema under %s, and tokens', (schema) => {
  const call = span({
    ...INPUT,
    'gen_ai.completion.0.role': 'assistant',
    'gen_ai.completion.0.content': 'Brienz is deeper.',
    'gen_ai.completion.0.finish_reason': 'stop',
    'llm.request.functions.0.name': 'depth',
    [`llm.request.functions.0.${schema}`]: '{"type":"object","properties":{"lake":{"type":"string"}}}',
    'gen_ai.usage.prompt_tokens': 90,
    'gen_ai.usage.completion_tokens': 5,
    'gen_ai.request.temperature': 0.2,
    'llm.is_streaming': true,
  })
  expect(told(readFiles([otlpFile([call])]))).toEqual([
    {
      model: 'deep-1',
      messages: SECOND_TURN,
      output: 'assistant: Brienz is deeper.',
      tools: ['depth(lake)'],
      params: { temperature: 0.2, stream: true },
      usage: { inputTokens: 90, outputTokens: 5 },
    },
  ])
})

test('tool calls of an answer', () => {
  const call = span({
    'gen_ai.prompt.0.role': 'user',
    'gen_ai.prompt.0.content': 'How deep is Thun?',
    'gen_ai.completion.0.role': 'assistant',
    'gen_ai.completion.0.tool_calls.0.id': 'c1',
    'gen_ai.completion.0.tool_calls.0.name': 'depth',
    'gen_ai.completion.0.tool_calls.0.arguments': '{"lake":"Thun"}',
  })
  expect(told(readFiles([otlpFile([call])]))[0]).toMatchObject({ output: 'assistant: c1=depth({"lake":"Thun"})' })
})

test('Koog writes each parallel call as a completion, and calls of the history under the role tool', () => {
  const koog = span(
    {
      'llm.request.type': '',
      'gen_ai.prompt.0.role': 'user',
      'gen_ai.prompt.0.content': 'How deep?',
      'gen_ai.prompt.1.role': 'tool',
      'gen_ai.prompt.1.content': '[{"id":"c0","type":"function","function":{"name":"find","arguments":"{}"}}]',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.tool_calls.0.id': 'c1',
      'gen_ai.completion.0.tool_calls.0.function.name': 'depth',
      'gen_ai.completion.0.tool_calls.0.function.arguments': '{"lake":"Thun"}',
      'gen_ai.completion.1.role': 'assistant',
      'gen_ai.completion.1.tool_calls.0.id': 'c2',
      'gen_ai.completion.1.tool_calls.0.function.name': 'depth',
      'gen_ai.completion.1.tool_calls.0.function.arguments': '{"lake":"Brienz"}',
    },
    { name: 'llm.chat' },
  )
  expect(told(readFiles([otlpFile([koog])]))[0]).toMatchObject({
    messages: ['user: How deep?', 'assistant: c0=find({})'],
    output: 'assistant: c1=depth({"lake":"Thun"}) | c2=depth({"lake":"Brienz"})',
  })
})

test('Koog hands calls to a backend as content', () => {
  const calls = ['Thun', 'Brienz'].flatMap((lake, k) => [
    [`gen_ai.completion.${k}.role`, 'assistant'],
    [
      `gen_ai.completion.${k}.content`,
      JSON.stringify([{ id: `c${k + 1}`, type: 'function', function: { name: 'depth', arguments: { lake } } }]),
    ],
  ])
  const koog = span({ ...INPUT, ...Object.fromEntries(calls) }, { name: 'llm.chat' })
  const reading = readFiles([otlpFile([koog])])
  expect(told(reading)[0]).toMatchObject({ output: 'assistant: c1=depth({"lake":"Thun"}) | c2=depth({"lake":"Brienz"})' })
  expect(reading.warnings.map(({ code }) => code)).not.toContain('unknown-part')
})

test('workflows, tasks, tools and embeddings are structure', () => {
  const call = span({ ...INPUT, 'gen_ai.completion.0.role': 'assistant', 'gen_ai.completion.0.content': 'Yes.' })
  const others = [
    span({ ...INPUT, 'traceloop.span.kind': 'workflow' }, { id: 'aaaaaaaaaaaaaaa1' }),
    span({ ...INPUT, 'llm.request.type': 'embedding' }, { id: 'aaaaaaaaaaaaaaa2' }),
  ]
  expect(callIds(readFiles([otlpFile([...others, call])]))).toEqual([['bbbbbbbbbbbbbbbb']])
})

test('hostile positions and names do no harm', () => {
  const hostile = span({ ...INPUT, 'gen_ai.prompt.1000000000.role': 'user', 'gen_ai.prompt.__proto__.role': 'polluted' })
  readFiles([otlpFile([hostile])], 'skip')
  expect(({} as Record<string, unknown>).role).toBeUndefined()
})
