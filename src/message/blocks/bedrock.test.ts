import { expect, test } from 'vitest'
import { read } from './blocks.fixture.ts'

test('reads a conversation with tool use', () => {
  const messages = [
    { role: 'user', content: [{ text: 'How deep?' }, { cachePoint: { type: 'default' } }] },
    {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'Two lakes.', signature: 'c2ln' } } },
        { toolUse: { toolUseId: 't1', name: 'depth', input: { lake: 'Thun' } } },
        { type: 'toolUse', toolUseId: 't2', name: 'depth', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { toolResult: { toolUseId: 't1', status: 'success', content: [{ json: { metres: 217 } }] } },
        { toolResult: { toolUseId: 't2', content: [{ text: 'a' }, { text: 'b' }] } },
      ],
    },
  ]
  expect(read(messages)).toEqual({
    messages: [
      'user: How deep?',
      'assistant: (Two lakes.) | t1=depth({"lake":"Thun"}) | t2=depth({})',
      'tool: t1→{"metres":217}',
      'tool: t2→a\nb',
    ],
    problems: [],
  })
})

test('reads media, and text that a guard looks at', () => {
  const content = [
    { image: { format: 'png', source: { bytes: 'aGk=' } } },
    { document: { format: 'pdf', name: 'a', source: { s3Location: { uri: 's3://a/b' } } } },
    { guardContent: { text: { text: 'careful' } } },
  ]
  expect(read({ role: 'user', content })).toEqual({
    messages: ['user: <image image/png aGk=> | <file pdf s3://a/b> | careful'],
    problems: [],
  })
})
