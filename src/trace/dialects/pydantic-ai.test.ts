import { expect, test } from 'vitest'
import { callIds, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { SECOND_TURN, told } from './told-calls.fixture.ts'

const tool = (name: string, field: string) => ({
  name,
  description: 'How deep.',
  parameters_json_schema: { type: 'object', properties: { [field]: { type: 'string' } } },
})
const chat = (attributes: Record<string, unknown>): SpanSketch => ({
  id: 'chat',
  parent: 'run',
  name: 'chat deep-1',
  scope: 'pydantic-ai',
  start: 10,
  end: 60,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'deep-1',
    model_request_parameters: JSON.stringify({
      function_tools: [tool('depth', 'lake')],
      output_tools: [tool('final_result', 'answer')],
      allow_text_output: true,
    }),
    'gen_ai.usage.input_tokens': 90,
    'gen_ai.usage.output_tokens': 5,
    ...attributes,
  },
})
const run: SpanSketch = {
  id: 'run',
  name: 'agent run',
  scope: 'pydantic-ai',
  start: 0,
  end: 80,
  attributes: { 'gen_ai.usage.input_tokens': 90, 'pydantic_ai.all_messages': '[{"role":"user","parts":[]}]' },
}
const toolSpan: SpanSketch = {
  id: 'tool',
  parent: 'run',
  name: 'running tool',
  scope: 'pydantic-ai',
  start: 61,
  end: 62,
  attributes: { 'gen_ai.tool.name': 'depth', tool_arguments: '{"lake":"Thun"}' },
}

const EXPECTED = {
  model: 'deep-1',
  messages: SECOND_TURN,
  output: 'assistant: Brienz is deeper.',
  tools: ['depth(lake)', 'final_result(answer)'],
  params: {},
  usage: { inputTokens: 90, outputTokens: 5 },
}

test('version 1 lists events in one attribute, the answer among them', () => {
  const call = (id: string, lake: string) => ({
    id,
    type: 'function',
    function: { name: 'depth', arguments: `{"lake":"${lake}"}` },
  })
  const events = [
    { 'event.name': 'gen_ai.system.message', role: 'system', content: 'You know lakes.', 'gen_ai.message.index': 0 },
    { 'event.name': 'gen_ai.user.message', role: 'user', content: 'How deep are Thun and Brienz?', 'gen_ai.message.index': 0 },
    { 'event.name': 'gen_ai.assistant.message', role: 'assistant', tool_calls: [call('c1', 'Thun'), call('c2', 'Brienz')] },
    { 'event.name': 'gen_ai.tool.message', role: 'tool', id: 'c1', name: 'depth', content: '217 m' },
    { 'event.name': 'gen_ai.tool.message', role: 'tool', id: 'c2', name: 'depth', content: '260 m' },
    { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', content: 'Brienz is deeper.' } },
  ]
  const reading = readFiles([otlpFile([run, toolSpan, chat({ events: JSON.stringify(events) })])])
  expect(callIds(reading)).toEqual([['chat']])
  expect(told(reading)).toEqual([EXPECTED])
  expect(reading.warnings).toEqual([])
})

test.each(['user', 'tool'])('later versions write the conventions, with results in role %s', (role) => {
  const part = (id: string, lake: string) => ({ type: 'tool_call', id, name: 'depth', arguments: { lake } })
  const response = (id: string, result: string) => ({ type: 'tool_call_response', id, name: 'depth', result })
  const attributes = {
    'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'You know lakes.' }]),
    'gen_ai.input.messages': JSON.stringify([
      { role: 'user', parts: [{ type: 'text', content: 'How deep are Thun and Brienz?' }] },
      { role: 'assistant', parts: [part('c1', 'Thun'), part('c2', 'Brienz')], finish_reason: 'tool_call' },
      { role, parts: [response('c1', '217 m'), response('c2', '260 m')] },
    ]),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'Brienz is deeper.' }] }]),
    'gen_ai.tool.definitions': '[{"type":"function","name":"depth"}]',
  }
  expect(told(readFiles([otlpFile([run, chat(attributes)])]))).toEqual([EXPECTED])
})

test('without content, the error names the setting', () => {
  expect(() => readFiles([otlpFile([run, chat({})])])).toThrow('include_content')
})
