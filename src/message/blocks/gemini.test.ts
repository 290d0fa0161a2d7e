import { expect, test } from 'vitest'
import { read } from './blocks.fixture.ts'

test.each([
  ['the API', 'functionCall', 'functionResponse'],
  ['the Python client', 'function_call', 'function_response'],
])('reads contents in the spelling of %s', (_, call, response) => {
  const contents = [
    { role: 'user', parts: [{ text: 'How deep?' }] },
    {
      role: 'model',
      parts: [
        { text: 'Let me think.', thought: true },
        { [call]: { name: 'depth', args: { lake: 'Thun' } } },
        { [call]: { id: 'c2', name: 'depth' }, thoughtSignature: 'c2ln' },
      ],
    },
    {
      role: 'function',
      parts: [{ [response]: { name: 'depth', response: { metres: 217 } } }, { [response]: { id: 'c2', name: 'depth' } }],
    },
  ]
  expect(read(contents)).toEqual({
    messages: [
      'user: How deep?',
      'assistant: (Let me think.) | =depth({"lake":"Thun"}) | c2=depth({})',
      'tool: →{"metres":217}',
      'tool: c2→',
    ],
    problems: [],
  })
})

test('reads media in both spellings, and code that ran on the server as what the model wrote', () => {
  const parts = [
    { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
    { file_data: { mime_type: 'video/mp4', file_uri: 'gs://b/c' } },
    { executableCode: { language: 'PYTHON', code: 'print(1)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
    { thoughtSignature: 'c2ln' },
  ]
  expect(read({ role: 'model', parts })).toEqual({
    messages: ['assistant: <image image/png aGk=> | <video video/mp4 gs://b/c> | print(1) | 1'],
    problems: [],
  })
})
