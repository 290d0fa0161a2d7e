import { expect, test } from 'vitest'
import { read } from './blocks.fixture.ts'

test('reads thinking, text and tool use of one turn', () => {
  const turn = {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Two lakes.', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'b64' },
      { type: 'text', text: 'I look both up.' },
      { type: 'tool_use', id: 'toolu_1', name: 'depth', input: { lake: 'Thun' } },
    ],
  }
  expect(read(turn)).toEqual({
    messages: ['assistant: (Two lakes.) | I look both up. | toolu_1=depth({"lake":"Thun"})'],
    problems: [],
  })
})

test('splits several results of one user message, whatever their content, and keeps what stands beside them', () => {
  const turn = {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: '217 m' },
      {
        type: 'tool_result',
        tool_use_id: 'toolu_2',
        content: [
          { type: 'text', text: '260' },
          { type: 'text', text: 'metres' },
        ],
        is_error: false,
      },
      { type: 'tool_result', tool_use_id: 'toolu_3' },
      { type: 'text', text: 'In feet, please.', cache_control: { type: 'ephemeral' } },
    ],
  }
  expect(read(turn).messages).toEqual([
    'tool: toolu_1→217 m',
    'tool: toolu_2→260\nmetres',
    'tool: toolu_3→',
    'user: In feet, please.',
  ])
})

test('reads images and documents from every kind of source', () => {
  const content = [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
    { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' } },
    { type: 'document', source: { type: 'file', file_id: 'file_1' } },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain words' } },
  ]
  expect(read({ role: 'user', content })).toEqual({
    messages: [
      'user: <image image/png aGk=> | <image  https://a.example/b.png> | <file application/pdf aGk=> | <file  file_1> | plain words',
    ],
    problems: [],
  })
})

test('says that a tool the provider ran itself is left out', () => {
  const content = [
    { type: 'text', text: 'Found it.' },
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
  ]
  const { messages, problems } = read({ role: 'assistant', content })
  expect(messages).toEqual(['assistant: Found it.'])
  expect(problems).toEqual([expect.stringContaining('server_tool_use')])
})
