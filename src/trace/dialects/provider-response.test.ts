import { expect, test } from 'vitest'
import { Interner } from '../../message/index.ts'
import { ContentReader } from '../content-reader.ts'
import { readProviderResponse } from './provider-response.ts'

function read(value: unknown) {
  const content = new ContentReader(new Interner(), new Map(), () => {})
  const { output, ...others } = readProviderResponse(value, content, 'body')
  const parts = output?.parts.map((part) =>
    'text' in part ? part.text : part.type === 'tool_call' ? `${part.id}=${part.name}` : part.type,
  )
  return { ...others, output: parts ?? null }
}

test.each([
  [
    'OpenAI chat',
    {
      id: 'r1',
      object: 'chat.completion',
      model: 'deep-1',
      choices: [{ message: { role: 'assistant', content: 'Deep.', tool_calls: [{ id: 'c1', function: { name: 'depth' } }] } }],
      usage: { completion_tokens: 5 },
    },
  ],
  [
    'Anthropic',
    {
      id: 'r1',
      type: 'message',
      role: 'assistant',
      model: 'deep-1',
      content: [
        { type: 'text', text: 'Deep.' },
        { type: 'tool_use', id: 'c1', name: 'depth', input: {} },
      ],
      usage: { output_tokens: 5 },
    },
  ],
  [
    'Gemini',
    {
      responseId: 'r1',
      modelVersion: 'deep-1',
      candidates: [{ content: { role: 'model', parts: [{ text: 'Deep.' }, { functionCall: { id: 'c1', name: 'depth' } }] } }],
      usageMetadata: { candidatesTokenCount: 5 },
    },
  ],
  [
    'Responses',
    {
      id: 'r1',
      object: 'response',
      model: 'deep-1',
      output: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Deep.' }] },
        { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'depth', arguments: '{}' },
      ],
      usage: { output_tokens: 5 },
    },
  ],
])('%s', (_, body) => {
  const expected = { model: 'deep-1', responseId: 'r1', output: ['Deep.', 'c1=depth'], usage: { outputTokens: 5 } }
  expect(read(body)).toEqual(expected)
  expect(read(JSON.stringify(body))).toEqual(expected)
})

test('Bedrock', () => {
  const body = { output: { message: { role: 'assistant', content: [{ text: 'Deep.' }] } }, usage: { outputTokens: 5 } }
  expect(read(body)).toMatchObject({ output: ['Deep.'], usage: { outputTokens: 5 } })
})

test.each([
  ['text', 'Deep.', ['Deep.']],
  ['a message, whose id is not of the response', { id: 'm1', role: 'assistant', content: 'Deep.' }, ['Deep.']],
  ['data', { metres: 217 }, ['{"metres":217}']],
  ['data as the model wrote it', '{ "metres": 217 }', ['{ "metres": 217 }']],
  ['an empty object', {}, null],
  ['a blocked answer', { candidates: [{ finishReason: 'SAFETY' }], usageMetadata: {} }, null],
  ['an envelope without an answer', { usage: { output_tokens: 5 }, error: 'overloaded' }, null],
  ['nothing', undefined, null],
])('%s', (_, value, output) => {
  expect(read(value)).toMatchObject({ output, responseId: '' })
})
