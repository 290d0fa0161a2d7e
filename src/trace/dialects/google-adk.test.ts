import { expect, test } from 'vitest'
import { callIds, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { SECOND_TURN, told } from './told-calls.fixture.ts'

const call = (lake: string) => ({ functionCall: { name: 'depth', args: { lake } } })
const result = (depth: string) => ({ functionResponse: { name: 'depth', response: { depth } } })

const CONFIG = {
  systemInstruction: 'You know lakes.',
  maxOutputTokens: 300,
  tools: [
    { functionDeclarations: [{ name: 'depth', parameters: { type: 'OBJECT', properties: { lake: { type: 'STRING' } } } }] },
  ],
}
const QUESTION = { role: 'user', parts: [{ text: 'How deep are Thun and Brienz?' }] }
const CALLS = { role: 'model', parts: [call('Thun'), call('Brienz')] }

const span = (id: string, start: number, contents: unknown[], content: unknown): SpanSketch => ({
  id,
  parent: 'agent',
  name: 'call_llm',
  scope: 'gcp.vertex.agent',
  start,
  end: start + 30,
  attributes: {
    'gen_ai.system': 'gcp.vertex.agent',
    'gen_ai.request.model': 'deep-1',
    'gcp.vertex.agent.llm_request': JSON.stringify({ model: 'deep-1', contents, config: CONFIG }),
    'gcp.vertex.agent.llm_response': JSON.stringify({
      content,
      usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 9, thoughtsTokenCount: 3, cachedContentTokenCount: 8 },
    }),
    'gen_ai.usage.output_tokens': 9,
  },
})

const first = span('first', 0, [QUESTION], CALLS)
const second = span('second', 40, [QUESTION, CALLS, { role: 'user', parts: [result('217 m'), result('260 m')] }], {
  role: 'model',
  parts: [{ text: 'Let me see.', thought: true }, { text: 'Brienz is deeper.' }],
})
const tool: SpanSketch = {
  id: 'tool',
  parent: 'first',
  name: 'execute_tool depth',
  scope: 'gcp.vertex.agent',
  start: 12,
  end: 29,
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.system': 'gcp.vertex.agent',
    'gcp.vertex.agent.llm_request': '{}',
    'gcp.vertex.agent.llm_response': '{}',
  },
}

test('request and response, with tools in the form of other APIs and thoughts counted', () => {
  const reading = readFiles([otlpFile([tool, first, second])])
  const usage = { inputTokens: 40, outputTokens: 12, cachedInputTokens: 8, reasoningTokens: 3 }
  expect(told(reading)).toEqual([
    {
      model: 'deep-1',
      messages: SECOND_TURN.slice(0, 2),
      output: 'assistant: =depth({"lake":"Thun"}) | =depth({"lake":"Brienz"})',
      tools: ['depth(lake)'],
      params: { maxTokens: 300 },
      usage,
    },
    {
      model: 'deep-1',
      messages: [
        ...SECOND_TURN.slice(0, 2),
        'assistant: =depth({"lake":"Thun"}) | =depth({"lake":"Brienz"})',
        'tool: →{"depth":"217 m"}',
        'tool: →{"depth":"260 m"}',
      ],
      output: 'assistant: (Let me see.) | Brienz is deeper.',
      tools: ['depth(lake)'],
      params: { maxTokens: 300 },
      usage,
    },
  ])
  expect(reading.warnings.map(({ code, count }) => [code, count])).toEqual([['tool-calls-without-id', 2]])
})

test('a call ends when its first tool begins', () => {
  const calls = readFiles([otlpFile([first, { ...tool, id: 'later', start: 20 }, tool, second])]).sessions[0]?.calls
  expect(calls?.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [0, 12],
    [40, 70],
  ])
})

test('the tool may stand in another file', () => {
  const [call] = readFiles([otlpFile([first]), otlpFile([tool])]).sessions[0]?.calls ?? []
  expect(call?.endMs).toBe(12)
})

test('a span of the conventions inside is the same call, and tells its time', () => {
  const inner: SpanSketch = {
    id: 'inner',
    parent: 'first',
    name: 'generate_content deep-1',
    start: 2,
    end: 11,
    attributes: { 'gen_ai.operation.name': 'generate_content', 'gen_ai.request.temperature': 0.5 },
  }
  const reading = readFiles([otlpFile([first, inner, tool])])
  expect(callIds(reading)).toEqual([['first']])
  expect(told(reading)[0]?.params).toEqual({ maxTokens: 300, temperature: 0.5 })
  expect(reading.sessions[0]?.calls[0]).toMatchObject({ startMs: 0, endMs: 9 })
})

test.each(['{}', '<not serializable>'])('a response recorded as %s is none', (response) => {
  const attributes = { ...first.attributes, 'gcp.vertex.agent.llm_response': response }
  expect(told(readFiles([otlpFile([{ ...first, attributes }])]))[0]?.output).toBeNull()
})

test('without content, the error names the setting', () => {
  const attributes = { ...first.attributes, 'gcp.vertex.agent.llm_request': '{}', 'gcp.vertex.agent.llm_response': '{}' }
  expect(() => readFiles([otlpFile([{ ...first, attributes }])])).toThrow('ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS')
})
