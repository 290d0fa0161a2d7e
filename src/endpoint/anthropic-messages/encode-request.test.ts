import { expect, test } from 'vitest'
import {
  assistant,
  bare,
  call,
  conversation,
  image,
  result,
  system,
  text,
  user,
  weather,
  written,
} from '../conversation.fixture.ts'
import { request } from '../endpoint.fixture.ts'
import type { EndpointRequest } from '../endpoint.ts'
import { serverDialects } from '../server-dialect.ts'
import { createMessagesEncoder } from './encode-request.ts'

const encoder = (dialect = serverDialects.anthropic, body = {}) => createMessagesEncoder(dialect, body, (tools) => tools)
const encode = (more: Partial<EndpointRequest>) => written(encoder(), more)
const block = (value: string) => ({ type: 'text', text: value })
const turns = (...messages: EndpointRequest['messages']) => encode({ messages }).messages

test('instructions stand apart, and several results in one message of the user', () => {
  expect(encode({ messages: conversation, tools: [weather, bare], params: { maxTokens: 50 } })).toEqual({
    model: 'asked',
    stream: true,
    max_tokens: 50,
    system: [block('Be brief.')],
    messages: [
      { role: 'user', content: [block('Weather?')] },
      {
        role: 'assistant',
        content: [
          block('Let me see.'),
          { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Graz' } },
          { type: 'tool_use', id: 'b', name: 'bare', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'sunny' },
          { type: 'tool_result', tool_use_id: 'b', content: 'done' },
          block('And now?'),
        ],
      },
    ],
    tools: [
      { name: 'weather', description: weather.description, input_schema: weather.parameters },
      { name: 'bare', input_schema: { type: 'object', properties: {} } },
    ],
  })
})

test('what stands beside results goes into the last: results come first', () => {
  expect(
    turns(user('x'), assistant(call('a'), call('b')), result('a', '1'), result('b', '2', text('note'), image)),
  ).toContainEqual({
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'a', content: '1' },
      {
        type: 'tool_result',
        tool_use_id: 'b',
        content: [
          block('2'),
          block('note'),
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QQ==' } },
        ],
      },
    ],
  })
})

test('the conversation begins with the user, and no text is empty', () => {
  const begin = { role: 'user', content: [block('…')] }
  expect(turns(assistant(text('Hi')))).toEqual([begin, { role: 'assistant', content: [block('Hi')] }])
  expect(turns(user(' '), assistant(), system('s'))).toEqual([{ role: 'user', content: [block('s')] }])
  expect(turns(system('s'))).toEqual([begin])
  expect(encode({ messages: [system(' '), user('a')] })).not.toHaveProperty('system')
})

test.each([
  ['{"x": 1}', { x: 1 }],
  ['', {}],
  ['[1]', { arguments: '[1]' }],
  ['{"x":', { arguments: '{"x":' }],
])('arguments are an object: %s', (args, input) => {
  expect(turns(user('a'), assistant(call('id.1', 'f', args)))).toContainEqual({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'id_1', name: 'f', input }],
  })
})

test.each([
  ['auto', { type: 'auto' }],
  ['none', { type: 'none' }],
  ['required', { type: 'any' }],
  [{ name: 'weather' }, { type: 'tool', name: 'weather' }],
] as const)('a choice of tools: %j', (toolChoice, wire) => {
  expect(encode({ tools: [weather], toolChoice }).tool_choice).toEqual(wire)
  expect(encode({ toolChoice })).not.toHaveProperty('tool_choice')
})

test('fields that every model takes, and a limit always', () => {
  const params = { temperature: 1.5, topP: 0.5, topK: 3, seed: 1, stop: ['\n', 'END'], frequencyPenalty: 1 }
  expect(encode({ params })).toMatchObject({ max_tokens: 4096, temperature: 1, top_k: 3, stop_sequences: ['END'] })
  for (const field of ['top_p', 'seed', 'frequency_penalty']) expect(encode({ params })).not.toHaveProperty(field)
  expect(encode({ params: { topP: 0.5 } }).top_p).toBe(0.5)
  expect(encode({ forceOutputTokens: 7 })).not.toHaveProperty('ignore_eos')
  expect(written(encoder(serverDialects.vllm), { forceOutputTokens: 7 })).toMatchObject({
    max_tokens: 7,
    min_tokens: 7,
    ignore_eos: true,
  })
  expect(written(encoder(serverDialects.anthropic, { cache_control: { type: 'ephemeral' } }), {})).toHaveProperty('cache_control')
})

test('a message becomes bytes once: what changes it afterwards does not show', () => {
  const encode = encoder()
  const message = { role: 'user', parts: [{ type: 'text', text: 'before' }] } as const
  const first = encode(request({ messages: [message] }))
  Object.assign(message.parts[0], { text: 'after' })
  expect(encode(request({ messages: [message] }))).toEqual(first)
})
