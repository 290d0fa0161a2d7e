import { expect, test } from 'vitest'
import { otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { DEPTH_TOOL, told } from './told-calls.fixture.ts'

const span = (more: Partial<SpanSketch>): SpanSketch => ({ id: 'a', scope: 'agent_framework', start: 0, end: 50, ...more })
const text = (content: string) => [{ type: 'text', content }]

const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'deep-1' }

test('the conventions in attributes; a request with nothing but a result is said to lack its history', () => {
  const call = { type: 'tool_call', id: '["run_1", "c1"]', name: 'depth', arguments: { lake: 'Thun' } }
  const attributes = {
    ...CHAT,
    'gen_ai.input.messages': JSON.stringify([
      { role: 'assistant', parts: [call] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: '["run_1", "c1"]', response: '217 m' }] },
    ]),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: text('217 m deep.') }]),
    'gen_ai.tool.definitions': JSON.stringify([DEPTH_TOOL]),
  }
  const reading = readFiles([otlpFile([span({ attributes })])])
  expect(told(reading)[0]).toMatchObject({ output: 'assistant: 217 m deep.', tools: ['depth(lake)'] })
  expect(reading.warnings).toEqual([
    expect.objectContaining({ code: 'history-not-recorded', message: expect.stringContaining('sends the whole conversation') }),
  ])
})

test.each([
  [
    'a message each',
    'Microsoft.SemanticKernel',
    [
      { name: 'gen_ai.user.message', attributes: { content: 'How deep?' } },
      { name: 'gen_ai.choice', attributes: { index: 0, message: '{"role":"assistant","content":"Deep."}' } },
    ],
  ],
  [
    'prompt and completion',
    'Microsoft.SemanticKernel.Diagnostics',
    [
      { name: 'gen_ai.content.prompt', attributes: { 'gen_ai.prompt': '[{"role":"user","content":"How deep?"}]' } },
      { name: 'gen_ai.content.completion', attributes: { 'gen_ai.completion': '[{"role":"assistant","content":"Deep."}]' } },
    ],
  ],
])('events of Semantic Kernel, without an operation: %s', (_, scope, events) => {
  const attributes = { 'gen_ai.response.model': 'deep-1' }
  expect(told(readFiles([otlpFile([span({ scope, events, attributes })])]))).toMatchObject([
    { model: 'deep-1', messages: ['user: How deep?'], output: 'assistant: Deep.' },
  ])
})

test('without content, the error names the settings', () => {
  expect(() => readFiles([otlpFile([span({ attributes: CHAT })])])).toThrow('ENABLE_SENSITIVE_DATA=true')
})
