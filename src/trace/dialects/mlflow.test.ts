import { expect, test } from 'vitest'
import { callIds, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { DEPTH_TOOL, SECOND_INPUT, SECOND_TURN, told } from './told-calls.fixture.ts'

/** Every attribute of its own is JSON, be it text or structure. */
const span = (id: string, type: string, attributes: Record<string, unknown>): SpanSketch => ({
  id,
  start: 0,
  end: 50,
  attributes: Object.fromEntries(
    Object.entries({ spanType: type, ...attributes }).map(([key, value]) => [`mlflow.${key}`, JSON.stringify(value)]),
  ),
})
const RESPONSE = {
  id: 'response-1',
  object: 'chat.completion',
  choices: [{ message: { role: 'assistant', content: 'Brienz is deeper.' } }],
  usage: { prompt_tokens: 90, completion_tokens: 5 },
}
const tell = (attributes: Record<string, unknown>) => told(readFiles([otlpFile([span('a', 'CHAT_MODEL', attributes)])]))[0]

test('the arguments of a client and its response', () => {
  const spanInputs = { model: 'deep-1', messages: SECOND_INPUT, tools: [DEPTH_TOOL], temperature: 0.2 }
  expect(tell({ spanInputs, spanOutputs: RESPONSE })).toEqual({
    model: 'deep-1',
    messages: SECOND_TURN,
    output: 'assistant: Brienz is deeper.',
    tools: ['depth(lake)'],
    params: { temperature: 0.2 },
    usage: { inputTokens: 90, outputTokens: 5 },
  })
})

test('tokens and tools in attributes of their own', () => {
  expect(
    tell({
      spanInputs: { messages: SECOND_INPUT },
      spanOutputs: 'Deep.',
      'chat.tools': [DEPTH_TOOL],
      'chat.tokenUsage': { input_tokens: 90, output_tokens: 5, total_tokens: 95 },
    }),
  ).toMatchObject({ output: 'assistant: Deep.', tools: ['depth(lake)'], usage: { inputTokens: 90, outputTokens: 5 } })
})

test.each([
  ['keyword arguments', { kwargs: { messages: SECOND_INPUT } }],
  ['a batch of one conversation', { messages: [SECOND_INPUT] }],
  ['a list in a list', [SECOND_INPUT]],
  ['a list', SECOND_INPUT],
])('the input may be %s', (_, spanInputs) => {
  expect(tell({ spanInputs })?.messages).toEqual(SECOND_TURN)
})

test('a conversation in one attribute ends with the answer', () => {
  const messages = [...SECOND_INPUT, { role: 'assistant', content: 'Brienz is deeper.' }]
  expect(tell({ 'chat.messages': messages })).toMatchObject({ messages: SECOND_TURN, output: 'assistant: Brienz is deeper.' })
})

test('LangChain answers with generations', () => {
  const spanOutputs = { generations: [[{ text: 'Deep.', message: { role: 'assistant', content: 'Deep.' } }]] }
  expect(tell({ spanInputs: { messages: SECOND_INPUT }, spanOutputs })?.output).toBe('assistant: Deep.')
})

test.each(['AGENT', 'TOOL', 'CHAIN', 'RETRIEVER', 'EMBEDDING', 'PARSER'])('a span of type %s is no call', (type) => {
  const other = span('other', type, { spanInputs: { messages: SECOND_INPUT }, spanOutputs: RESPONSE })
  expect(callIds(readFiles([otlpFile([other, span('a', 'LLM', { spanInputs: { messages: SECOND_INPUT } })])]))).toEqual([['a']])
})
