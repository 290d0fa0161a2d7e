import { expect, test } from 'vitest'
import { callIds, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { SECOND_TURN, told } from './told-calls.fixture.ts'

const TOOL = { type: 'function', name: 'depth', parameters: { type: 'object', properties: { lake: { type: 'string' } } } }

const toolCall = (toolCallId: string, lake: string) => ({ type: 'tool-call', toolCallId, toolName: 'depth', args: { lake } })
const toolResult = (toolCallId: string, result: string) => ({ type: 'tool-result', toolCallId, toolName: 'depth', result })

const FIRST_INPUT = [
  { role: 'system', content: 'You know lakes.' },
  { role: 'user', content: [{ type: 'text', text: 'How deep are Thun and Brienz?' }] },
]
const SECOND_INPUT = [
  ...FIRST_INPUT,
  { role: 'assistant', content: [toolCall('c1', 'Thun'), toolCall('c2', 'Brienz')] },
  { role: 'tool', content: [toolResult('c1', '217 m'), toolResult('c2', '260 m')] },
]

const span = (id: string, start: number, operation: string, attributes: Record<string, unknown>): SpanSketch => ({
  id,
  parent: 'loop',
  name: operation,
  scope: 'ai',
  start,
  end: start + 10,
  attributes: { 'ai.operationId': operation, 'ai.model.id': 'deep-1', ...attributes },
})

const first = span('first', 10, 'ai.generateText.doGenerate', {
  'ai.prompt.messages': JSON.stringify(FIRST_INPUT),
  'ai.prompt.tools': [JSON.stringify(TOOL)],
  'ai.settings.maxTokens': 300,
  'ai.settings.temperature': 0.2,
  'ai.response.reasoning': 'Two lakes.',
  'ai.response.text': 'I look.',
  'ai.response.toolCalls': JSON.stringify([
    { toolCallType: 'function', toolCallId: 'c1', toolName: 'depth', args: '{"lake":"Thun"}' },
    { toolCallType: 'function', toolCallId: 'c2', toolName: 'depth', args: '{"lake":"Brienz"}' },
  ]),
  'ai.usage.promptTokens': 40,
  'ai.usage.completionTokens': 9,
})
const second = span('second', 30, 'ai.streamText.doStream', {
  'ai.prompt.messages': JSON.stringify(SECOND_INPUT),
  'ai.response.text': 'Brienz is deeper.',
  'ai.response.msToFirstChunk': 4.5,
  'gen_ai.usage.input_tokens': 90,
  'ai.usage.inputTokens': 90,
  'ai.usage.outputTokens': 5,
  'ai.usage.inputTokenDetails.cacheReadTokens': 32,
  'ai.usage.outputTokenDetails.reasoningTokens': 2,
})
const loop: SpanSketch = {
  ...span('loop', 0, 'ai.generateText', { 'ai.prompt': '{"prompt":"How deep?"}', 'ai.usage.promptTokens': 130 }),
  parent: '',
  end: 50,
}
const tool = span('tool', 20, 'ai.toolCall', { 'ai.toolCall.name': 'depth', 'ai.toolCall.args': '{"lake":"Thun"}' })

test('one request is a call; the loop around it and the tools in it are not', () => {
  const reading = readFiles([otlpFile([loop, tool, first, second])])
  expect(callIds(reading)).toEqual([['first', 'second']])
  expect(reading.warnings).toEqual([])
  expect(told(reading)).toEqual([
    {
      model: 'deep-1',
      messages: SECOND_TURN.slice(0, 2),
      output: 'assistant: (Two lakes.) | I look. | c1=depth({"lake":"Thun"}) | c2=depth({"lake":"Brienz"})',
      tools: ['depth(lake)'],
      params: { maxTokens: 300, temperature: 0.2, stream: false },
      usage: { inputTokens: 40, outputTokens: 9 },
    },
    {
      model: 'deep-1',
      messages: SECOND_TURN,
      output: 'assistant: Brienz is deeper.',
      tools: [],
      params: { stream: true },
      usage: { inputTokens: 90, outputTokens: 5, cachedInputTokens: 32, reasoningTokens: 2 },
    },
  ])
  expect(reading.sessions[0]?.calls[1]?.ttftMs).toBe(4.5)
})

test.each([
  ['a generated object', { 'ai.response.object': '{"metres":217}' }, 'assistant: {"metres":217}'],
  ['reasoning as a list', { 'ai.response.reasoning': '[{"type":"reasoning","text":"Hm."}]' }, 'assistant: (Hm.)'],
  ['nothing', {}, null],
])('the answer may be %s', (_, attributes, output) => {
  const call = span('a', 0, 'ai.generateObject.doGenerate', { 'ai.prompt.messages': JSON.stringify(FIRST_INPUT), ...attributes })
  expect(told(readFiles([otlpFile([call])]))[0]?.output).toBe(output)
})

test('a failed attempt that was repeated is no call', () => {
  const failed = { ...first, id: 'failed', start: 0, end: 5, error: 'overloaded' }
  expect(callIds(readFiles([otlpFile([loop, failed, first])]))).toEqual([['first']])
})

test('without inputs, the error names the setting', () => {
  const { 'ai.prompt.messages': _, ...attributes } = first.attributes ?? {}
  expect(() => readFiles([otlpFile([{ ...first, attributes }])])).toThrow('recordInputs')
})
