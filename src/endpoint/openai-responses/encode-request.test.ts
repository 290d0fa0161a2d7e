import { expect, test } from 'vitest'
import { assistant, bare, call, conversation, image, result, text, user, weather, written } from '../conversation.fixture.ts'
import { request } from '../endpoint.fixture.ts'
import type { EndpointRequest } from '../endpoint.ts'
import { serverDialects } from '../server-dialect.ts'
import { createResponsesEncoder } from './encode-request.ts'

const encoder = (dialect = serverDialects.openai) => createResponsesEncoder(dialect, {}, (tools) => tools)
const encode = (more: Partial<EndpointRequest>) => written(encoder(), more)
const items = (...messages: EndpointRequest['messages']) => encode({ messages }).input

test('calls and their results are items of their own', () => {
  expect(
    encode({ messages: conversation, tools: [weather, bare], params: { maxTokens: 50, temperature: 0 }, stream: false }),
  ).toEqual({
    model: 'asked',
    stream: false,
    store: false,
    max_output_tokens: 50,
    temperature: 0,
    input: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me see.' }] },
      { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{"city":"Graz"}' },
      { type: 'function_call', call_id: 'b', name: 'bare', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'sunny' },
      { type: 'function_call_output', call_id: 'b', output: 'done' },
      { role: 'user', content: 'And now?' },
    ],
    tools: [
      { type: 'function', name: 'weather', description: weather.description, parameters: weather.parameters, strict: false },
      { type: 'function', name: 'bare', parameters: { type: 'object', properties: {} }, strict: false },
    ],
  })
})

test('media, and what stands beside a result', () => {
  expect(items({ role: 'user', parts: [text('a'), image] })).toEqual([
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: 'data:image/png;base64,QQ==', detail: 'auto' },
      ],
    },
  ])
  expect(items(assistant(call('a', '', '')), result('a', '1', text('note')), assistant())).toEqual([
    { type: 'function_call', call_id: 'a', name: 'unknown', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: '1' },
    { role: 'user', content: 'note' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '' }] },
  ])
})

test.each([
  ['auto', 'auto'],
  ['required', 'required'],
  [{ name: 'weather' }, { type: 'function', name: 'weather' }],
] as const)('a choice of tools: %j', (toolChoice, wire) => {
  expect(encode({ tools: [weather], toolChoice }).tool_choice).toEqual(wire)
  expect(encode({ toolChoice })).not.toHaveProperty('tool_choice')
})

test('a length is held where the server knows how, and is never below what it takes', () => {
  expect(encode({ forceOutputTokens: 7 })).toMatchObject({ max_output_tokens: 16 })
  expect(encode({ forceOutputTokens: 7 })).not.toHaveProperty('ignore_eos')
  expect(written(encoder(serverDialects.vllm), { forceOutputTokens: 7 })).toMatchObject({
    max_output_tokens: 7,
    min_tokens: 7,
    ignore_eos: true,
  })
})

test('a message becomes bytes once', () => {
  const encode = encoder()
  const message = { role: 'user', parts: [{ type: 'text', text: 'before' }] } as const
  const first = encode(request({ messages: [message, user('b')] }))
  Object.assign(message.parts[0], { text: 'after' })
  expect(encode(request({ messages: [message, user('b')] }))).toEqual(first)
})
