import { expect, test } from 'vitest'
import { read } from '../blocks/blocks.fixture.ts'

const call = (id: string) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: `call_${id}`,
  name: 'depth',
  arguments: `{"lake":"${id}"}`,
})
const result = (id: string) => ({ type: 'function_call_output', call_id: `call_${id}`, output: `${id} is deep` })

test('the items of one turn are one message, and results refer to calls by call_id', () => {
  const items = [
    { role: 'user', content: 'How deep?' },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Two lakes.' }], encrypted_content: 'zzz' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look both up.' }] },
    call('a'),
    call('b'),
    result('a'),
    result('b'),
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Very.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Thanks.' }] },
  ]
  expect(read(items)).toEqual({
    messages: [
      'user: How deep?',
      'assistant: (Two lakes.) | I look both up. | call_a=depth({"lake":"a"}) | call_b=depth({"lake":"b"})',
      'tool: call_a→a is deep',
      'tool: call_b→b is deep',
      'assistant: Very.',
      'user: Thanks.',
    ],
    problems: [],
  })
})

test('two assistant messages of a chat stay two', () => {
  const chat = [
    { role: 'assistant', content: 'One.' },
    { role: 'assistant', content: 'Two.' },
  ]
  expect(read(chat).messages).toEqual(['assistant: One.', 'assistant: Two.'])
})

test('a custom tool takes text, not JSON', () => {
  expect(read([{ type: 'custom_tool_call', call_id: 'c', name: 'sql', input: 'select 1' }]).messages).toEqual([
    'assistant: c=sql({"input":"select 1"})',
  ])
})
