import { expect, test } from 'vitest'
import { read } from './blocks.fixture.ts'

test.each([
  ['version 4', { args: { lake: 'Thun' } }, { result: { metres: 217 } }],
  ['version 5', { input: { lake: 'Thun' } }, { output: { type: 'json', value: { metres: 217 } } }],
])('reads tool calls and results of %s', (_, call, result) => {
  const messages = [
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'A lake.' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'depth', ...call },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'depth', ...result }] },
  ]
  expect(read(messages)).toEqual({
    messages: ['assistant: (A lake.) | c1=depth({"lake":"Thun"})', 'tool: c1→{"metres":217}'],
    problems: [],
  })
})

test.each([
  ['text', { type: 'text', value: 'deep' }, 'deep'],
  ['an error', { type: 'error-text', value: 'no such lake' }, 'no such lake'],
  [
    'content blocks',
    {
      type: 'content',
      value: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    'a\nb',
  ],
  ['a refusal', { type: 'execution-denied', reason: 'not now' }, 'not now'],
  ['data with a type of its own, from before version 5', undefined, '{"type":7}'],
])('reads a result that is %s', (_, output, expected) => {
  const part = { type: 'tool-result', toolCallId: 'c1', toolName: 'depth', output, result: { type: 7 } }
  expect(read({ role: 'tool', content: [part] }).messages).toEqual([`tool: c1→${expected}`])
})

test('reads tool calls without a type, as responses list them', () => {
  const toolCalls = [{ toolCallType: 'function', toolCallId: 'c1', toolName: 'depth', args: '{"lake":"Thun"}' }]
  expect(read({ role: 'assistant', content: toolCalls }).messages).toEqual(['assistant: c1=depth({"lake":"Thun"})'])
})

test('reads images and files given as URL, data URL or base64', () => {
  const content = [
    { type: 'image', image: 'https://a.example/b.png', mediaType: 'image/png' },
    { type: 'image', image: 'data:image/png;base64,aGk=' },
    { type: 'file', data: 'aGk=', mediaType: 'application/pdf', filename: 'a.pdf' },
    { type: 'file', data: 'aGk=', mimeType: 'audio/wav' },
  ]
  expect(read({ role: 'user', content }).messages).toEqual([
    'user: <image image/png https://a.example/b.png> | <image image/png aGk=> | <file application/pdf aGk=> | <audio audio/wav aGk=>',
  ])
})
