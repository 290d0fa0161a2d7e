import { expect, test } from 'vitest'
import { callIds, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { SECOND_TURN, told } from './told-calls.fixture.ts'

const INPUT = {
  messages: [
    { role: 'system', content: [{ text: 'You know lakes.' }] },
    { role: 'user', content: [{ text: 'How deep are Thun and Brienz?' }] },
    {
      role: 'model',
      content: [
        { toolRequest: { name: 'depth', ref: 'c1', input: { lake: 'Thun' } } },
        { toolRequest: { name: 'depth', ref: 'c2', input: { lake: 'Brienz' } } },
      ],
    },
    {
      role: 'tool',
      content: [
        { toolResponse: { name: 'depth', ref: 'c1', output: '217 m' } },
        { toolResponse: { name: 'depth', ref: 'c2', output: '260 m' } },
      ],
    },
  ],
  config: { temperature: 0.2, maxOutputTokens: 300 },
  tools: [{ name: 'depth', description: 'How deep.', inputSchema: { type: 'object', properties: { lake: { type: 'string' } } } }],
}
const MESSAGE = { role: 'model', content: [{ reasoning: 'Hm.' }, { text: 'Brienz is deeper.' }] }

const action = (id: string, subtype: string, output: object): SpanSketch => ({
  id,
  scope: 'genkit-tracer',
  start: 0,
  end: 50,
  attributes: {
    'genkit:type': 'action',
    'genkit:metadata:subtype': subtype,
    'genkit:name': 'googleai/deep-1',
    'genkit:input': JSON.stringify(INPUT),
    'genkit:output': JSON.stringify(output),
  },
})

test.each([
  ['a message', { message: MESSAGE, usage: { inputTokens: 90, outputTokens: 5 }, finishReason: 'stop' }],
  ['candidates', { candidates: [{ index: 0, message: MESSAGE }], usage: { inputTokens: 90, outputTokens: 5 } }],
])("a model's action answers with %s", (_, output) => {
  const reading = readFiles([
    otlpFile([action('flow', 'flow', output), action('tool', 'tool', output), action('a', 'model', output)]),
  ])
  expect(callIds(reading)).toEqual([['a']])
  expect(told(reading)).toEqual([
    {
      model: 'googleai/deep-1',
      messages: SECOND_TURN,
      output: 'assistant: (Hm.) | Brienz is deeper.',
      tools: ['depth(lake)'],
      params: { maxTokens: 300, temperature: 0.2 },
      usage: { inputTokens: 90, outputTokens: 5 },
    },
  ])
})
