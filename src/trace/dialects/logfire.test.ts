import { expect, test } from 'vitest'
import { callIds, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { DEPTH_TOOL, SECOND_INPUT, SECOND_TURN, told } from './told-calls.fixture.ts'

const REQUEST = { model: 'deep-1', messages: SECOND_INPUT, tools: [DEPTH_TOOL], max_tokens: 300 }

const span = (id: string, start: number, end: number, attributes: Record<string, unknown>): SpanSketch => ({
  id,
  name: 'Chat Completion with {request_data[model]!r}',
  scope: 'logfire.openai',
  start,
  end,
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : value]),
  ),
})

const EXPECTED = {
  model: 'deep-1',
  messages: SECOND_TURN,
  output: 'assistant: Brienz is deeper.',
  tools: ['depth(lake)'],
}

test('the request and the message of the response', () => {
  const call = span('a', 0, 50, {
    request_data: REQUEST,
    response_data: {
      message: { role: 'assistant', content: 'Brienz is deeper.' },
      usage: { prompt_tokens: 90, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 32 } },
    },
  })
  expect(told(readFiles([otlpFile([call])]))).toEqual([
    { ...EXPECTED, params: { maxTokens: 300 }, usage: { inputTokens: 90, outputTokens: 5, cachedInputTokens: 32 } },
  ])
})

test('a streamed request is one call, from the duration in the log at its end', () => {
  const request_data = { ...REQUEST, stream: true }
  const begun = span('begun', 0, 10, { request_data })
  const done: SpanSketch = {
    ...span('done', 60, 60, {
      request_data,
      duration: 0.05,
      response_data: { combined_chunk_content: 'Brienz is deeper.', chunk_count: 4 },
    }),
    name: 'streaming response from {request_data[model]!r} took {duration:.2f}s',
  }
  const reading = readFiles([otlpFile([begun, done])])
  expect(callIds(reading)).toEqual([['done']])
  expect(told(reading)).toEqual([{ ...EXPECTED, params: { maxTokens: 300, stream: true }, usage: null }])
  expect(reading.sessions[0]?.calls[0]).toMatchObject({ startMs: 0, endMs: 50 })
})

test('embeddings are no calls', () => {
  const embedding = { ...span('b', 0, 5, { request_data: { model: 'e', input: 'lake' } }), name: 'Embedding Creation with {…}' }
  expect(() => readFiles([otlpFile([embedding])])).toThrow('No LLM call')
})
