import { expect, test } from 'vitest'
import { callIds, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { DEPTH_TOOL, SECOND_INPUT, SECOND_TURN, told } from './told-calls.fixture.ts'

const span = (attributes: Record<string, unknown>, more: Partial<SpanSketch> = {}): SpanSketch => ({
  id: 'bbbbbbbbbbbbbbbb',
  name: 'ChatOpenAI',
  start: 0,
  end: 100,
  ...more,
  attributes: { 'langsmith.span.kind': 'llm', 'gen_ai.request.model': 'deep-1', ...attributes },
})

test("a client's request and response", () => {
  const call = span({
    'gen_ai.prompt': JSON.stringify({ messages: SECOND_INPUT, tools: [DEPTH_TOOL], temperature: 0.2 }),
    'gen_ai.completion': JSON.stringify({
      id: 'r1',
      choices: [{ message: { role: 'assistant', content: 'Brienz is deeper.' } }],
    }),
    'gen_ai.usage.input_tokens': 90,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.response.finish_reasons': 'stop,length',
  })
  expect(told(readFiles([otlpFile([call])]))).toEqual([
    {
      model: 'deep-1',
      messages: SECOND_TURN,
      output: 'assistant: Brienz is deeper.',
      tools: ['depth(lake)'],
      params: { temperature: 0.2 },
      usage: { inputTokens: 90, outputTokens: 5 },
    },
  ])
})

test("LangChain's own run, its tools in the metadata", () => {
  const message = (kind: string, kwargs: object) => ({ lc: 1, type: 'constructor', id: ['langchain', 'schema', kind], kwargs })
  const call = span({
    'gen_ai.prompt': JSON.stringify({ messages: [[message('HumanMessage', { content: 'How deep is Thun?' })]] }),
    'gen_ai.completion': JSON.stringify({
      generations: [
        [{ message: message('AIMessage', { content: '', tool_calls: [{ id: 'c1', name: 'depth', args: { lake: 'Thun' } }] }) }],
      ],
    }),
    'langsmith.metadata.invocation_params': JSON.stringify({ tools: [DEPTH_TOOL], max_tokens: 9 }),
  })
  expect(told(readFiles([otlpFile([call])]))[0]).toMatchObject({
    messages: ['user: How deep is Thun?'],
    output: 'assistant: c1=depth({"lake":"Thun"})',
    tools: ['depth(lake)'],
    params: { maxTokens: 9 },
  })
})

test('chains, tools and retrievers are structure', () => {
  const prompt = { 'gen_ai.prompt': JSON.stringify({ messages: SECOND_INPUT }), 'gen_ai.completion': '"x"' }
  const others = ['chain', 'tool', 'retriever'].map((kind, k) =>
    span({ ...prompt, 'langsmith.span.kind': kind }, { id: `aaaaaaaaaaaaaaa${k}` }),
  )
  expect(callIds(readFiles([otlpFile([...others, span(prompt)])]))).toEqual([['bbbbbbbbbbbbbbbb']])
})
