import { expect, test } from 'vitest'
import { otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { SECOND_TURN, told } from './told-calls.fixture.ts'

const span = (attributes: Record<string, unknown>): SpanSketch => ({
  id: 'a',
  name: 'anthropic.messages.create',
  scope: 'com.anthropic.sdk.typescript',
  start: 0,
  end: 50,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'deep-1',
    'gen_ai.request.max_tokens': 300,
    ...attributes,
  },
})
const toolCall = (id: string, lake: string) => ({ type: 'tool_call', id, name: 'depth', arguments: { lake } })
const response = (id: string, text: string) => ({ type: 'tool_call_response', id, response: [{ type: 'text', text }] })

test('the conventions, with results as blocks and cached tokens as part of the input', () => {
  const attributes = {
    'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'You know lakes.' }]),
    'gen_ai.input.messages': JSON.stringify([
      { role: 'user', parts: [{ type: 'text', content: 'How deep are Thun and Brienz?' }] },
      { role: 'assistant', parts: [toolCall('c1', 'Thun'), toolCall('c2', 'Brienz')] },
      { role: 'user', parts: [response('c1', '217 m'), response('c2', '260 m')] },
    ]),
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'reasoning', content: 'Hm.' }, toolCall('c3', 'Brienz')] },
    ]),
    'gen_ai.usage.input_tokens': 90,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.usage.cache_read.input_tokens': 32,
    'gen_ai.usage.cache_write.input_tokens': 8,
  }
  const reading = readFiles([otlpFile([span(attributes)])])
  expect(told(reading)).toEqual([
    {
      model: 'deep-1',
      messages: SECOND_TURN,
      output: 'assistant: (Hm.) | c3=depth({"lake":"Brienz"})',
      tools: [],
      params: { maxTokens: 300 },
      usage: { inputTokens: 90, outputTokens: 5, cachedInputTokens: 32, cacheWriteTokens: 8 },
    },
  ])
  expect(reading.warnings.map(({ code }) => code)).toEqual(['tools-not-recorded'])
})

test('without content, the error names the setting', () => {
  expect(() => readFiles([otlpFile([span({})])])).toThrow('ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE=content')
})
