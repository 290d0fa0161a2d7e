import { expect, test } from 'vitest'
import { read } from '../blocks/blocks.fixture.ts'

const lc = (kind: string, kwargs: object) => ({ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', kind], kwargs })

test.each([
  [
    'serialised by constructor',
    [
      lc('SystemMessage', { content: 'Be brief.' }),
      lc('HumanMessage', { content: 'How deep?' }),
      lc('AIMessage', { content: '', tool_calls: [{ name: 'depth', args: { lake: 'Thun' }, id: 'c1', type: 'tool_call' }] }),
      lc('ToolMessage', { content: '217 m', tool_call_id: 'c1' }),
    ],
  ],
  [
    'as type and data',
    [
      { type: 'system', data: { content: 'Be brief.' } },
      { type: 'human', data: { content: 'How deep?' } },
      {
        type: 'ai',
        data: {
          content: '',
          additional_kwargs: {
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'depth', arguments: '{"lake":"Thun"}' } }],
          },
        },
      },
      { type: 'tool', data: { content: '217 m', tool_call_id: 'c1' } },
    ],
  ],
  [
    'as plain objects',
    [
      { type: 'system', content: 'Be brief.' },
      { type: 'human', content: 'How deep?' },
      {
        type: 'ai',
        content: [{ type: 'tool_use', id: 'c1', name: 'depth', input: { lake: 'Thun' } }],
        tool_calls: [{ name: 'depth', args: { lake: 'Thun' }, id: 'c1' }],
      },
      { type: 'tool', content: '217 m', tool_call_id: 'c1' },
    ],
  ],
])('messages %s are read, each call once', (_, messages) => {
  expect(read(messages)).toEqual({
    messages: ['system: Be brief.', 'user: How deep?', 'assistant: c1=depth({"lake":"Thun"})', 'tool: c1→217 m'],
    problems: [],
  })
})

test('a content block that has a type is no message', () => {
  expect(read([{ type: 'text', text: 'hello' }]).messages).toEqual(['user: hello'])
})
