import { describe, expect, test } from 'vitest'
import type { Message, Part } from '../../message/index.ts'
import type { EndpointRequest } from '../endpoint.ts'
import { wholeBody } from '../join-body.ts'
import { type ServerDialect, serverDialects } from '../server-dialect.ts'
import { createChatEncoder } from './encode-request.ts'

const timeouts = { connectMs: 1, firstTokenMs: 1, idleMs: 1, callMs: 1 }
const text = (value: string): Part => ({ type: 'text', text: value })
const user = (value: string): Message => ({ role: 'user', parts: [text(value)] })
const call = (id: string, name = 'f', args = '{}'): Part => ({ type: 'tool_call', id, name, arguments: args })
const result = (id: string, content = 'r'): Message => ({ role: 'tool', parts: [{ type: 'tool_result', id, content }] })
const assistant = (...parts: Part[]): Message => ({ role: 'assistant', parts })

function encode(
  request: Partial<EndpointRequest>,
  dialect: ServerDialect = serverDialects.vllm,
  extraBody: Record<string, unknown> = {},
) {
  const whole = { model: 'm', messages: [user('hi')], tools: [], params: {}, stream: true, timeouts, ...request }
  return JSON.parse(wholeBody(createChatEncoder(dialect, extraBody)(whole)).toString())
}

function wire(message: Message, dialect?: ServerDialect): unknown {
  const { messages } = encode({ messages: [message] }, dialect)
  return messages.length === 1 ? messages[0] : messages
}

describe('messages', () => {
  test.each<[name: string, message: Message, wire: unknown]>([
    ['one text', user('a "b"\n\u2028\ud800'), { role: 'user', content: 'a "b"\n\u2028\ud800' }],
    ['several texts', { role: 'system', parts: [text('a'), text('b')] }, { role: 'system', content: [text('a'), text('b')] }],
    ['no parts', { role: 'user', parts: [] }, { role: 'user', content: '' }],
    ['an empty assistant turn', assistant(), { role: 'assistant', content: '' }],
    [
      'tool calls without text',
      assistant(call('a'), call('b', 'g', '{"x":1}')),
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
          { id: 'b', type: 'function', function: { name: 'g', arguments: '{"x":1}' } },
        ],
      },
    ],
    [
      'tool calls beside text',
      assistant(text('t'), call('a')),
      { role: 'assistant', content: 't', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] },
    ],
    [
      'a tool call without arguments or a name',
      assistant(call('a', '', '')),
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'unknown', arguments: '{}' } }],
      },
    ],
    [
      'arguments that are no JSON',
      assistant(call('a', 'f', '{"x":')),
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":' } }],
      },
    ],
    ['a tool result', result('a', 'r'), { role: 'tool', tool_call_id: 'a', content: 'r' }],
    ['an empty tool result', result('a', ''), { role: 'tool', tool_call_id: 'a', content: '' }],
    [
      'several tool results in one message',
      {
        role: 'tool',
        parts: [{ type: 'tool_result', id: 'a', content: '1' }, { type: 'tool_result', id: 'b', content: '2' }, text('note')],
      },
      [
        { role: 'tool', tool_call_id: 'a', content: '1' },
        { role: 'tool', tool_call_id: 'b', content: [text('2'), text('note')] },
      ],
    ],
    ['a tool message without a result', { role: 'tool', parts: [text('x')] }, { role: 'user', content: 'x' }],
    [
      'images',
      {
        role: 'user',
        parts: [
          text('see'),
          { type: 'media', modality: 'image', mime: 'image/png', source: { data: 'QQ==' } },
          { type: 'media', modality: 'image', mime: '', source: { uri: 'https://x/y.png' } },
        ],
      },
      {
        role: 'user',
        content: [
          text('see'),
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } },
          { type: 'image_url', image_url: { url: 'https://x/y.png' } },
        ],
      },
    ],
    [
      'audio',
      {
        role: 'user',
        parts: [
          { type: 'media', modality: 'audio', mime: 'audio/mpeg', source: { data: 'QQ==' } },
          { type: 'media', modality: 'audio', mime: 'audio/x-wav', source: { data: 'QQ==' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'input_audio', input_audio: { data: 'QQ==', format: 'mp3' } },
          { type: 'input_audio', input_audio: { data: 'QQ==', format: 'wav' } },
        ],
      },
    ],
    [
      'a file and a video',
      {
        role: 'user',
        parts: [
          { type: 'media', modality: 'file', mime: 'application/pdf', source: { data: 'QQ==' } },
          { type: 'media', modality: 'video', mime: 'video/mp4', source: { uri: 'u' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'file', file: { filename: 'file', file_data: 'data:application/pdf;base64,QQ==' } },
          { type: 'video_url', video_url: { url: 'u' } },
        ],
      },
    ],
    [
      'what an assistant drew',
      assistant({ type: 'media', modality: 'image', mime: 'image/png', source: { data: 'QQ==' } }),
      { role: 'assistant', content: '[image]' },
    ],
  ])('%s', (_name, message, expected) => {
    expect(wire(message)).toEqual(expected)
  })

  test('reasoning goes back in the fields the server reads, or not at all', () => {
    const message = assistant({ type: 'reasoning', text: 'hm' }, text('a'))
    expect(wire(message, serverDialects.openai)).toEqual({ role: 'assistant', content: 'a' })
    expect(wire(message, serverDialects.sglang)).toEqual({ role: 'assistant', content: 'a', reasoning_content: 'hm' })
    expect(wire(message, serverDialects.vllm)).toEqual({
      role: 'assistant',
      content: 'a',
      reasoning: 'hm',
      reasoning_content: 'hm',
    })
    expect(wire(assistant({ type: 'reasoning', text: 'hm' }), serverDialects.openai)).toEqual({ role: 'assistant', content: '' })
  })

  test('calls and results without ids get ids that match, the same for a history that has grown', () => {
    const history = [
      user('q'),
      assistant(call(''), call('own'), call('')),
      result('', 'first'),
      result('own', 'second'),
      result('', 'third'),
    ]
    const idsOf = (messages: readonly Message[]) =>
      encode({ messages }).messages.map(
        (message: Record<string, unknown>) =>
          message.tool_call_id ?? (message.tool_calls as { id: string }[] | undefined)?.map(({ id }) => id),
      )
    const ids = idsOf(history)
    expect(ids).toEqual([undefined, ['call_1_0', 'own', 'call_1_2'], 'call_1_0', 'own', 'call_1_2'])
    expect(idsOf([...history, assistant(call('')), result('')])).toEqual([...ids, ['call_5_0'], 'call_5_0'])
    expect(idsOf([result('')])).toEqual(['call_0_0'])
  })
})

describe('the body', () => {
  test('is valid whatever the number of messages', () => {
    for (const count of [0, 1, 2, 50]) {
      const messages = Array.from({ length: count }, (_, index) => user(`é${index}`))
      expect(encode({ messages }).messages).toEqual(messages.map((_, index) => ({ role: 'user', content: `é${index}` })))
    }
  })

  test('carries every parameter under its name', () => {
    const params = {
      maxTokens: 9,
      temperature: 0,
      topP: 0.5,
      topK: 3,
      seed: 1,
      stop: ['x'],
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
    }
    expect(encode({ params })).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      seed: 1,
      stop: ['x'],
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(encode({ params, stream: false }, serverDialects.openai)).toEqual({
      model: 'm',
      stream: false,
      max_completion_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      seed: 1,
      stop: ['x'],
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      messages: [{ role: 'user', content: 'hi' }],
    })
  })

  test('sets the output length exactly where the server knows how, and as a limit elsewhere', () => {
    expect(encode({ forceOutputTokens: 7 })).toMatchObject({ max_tokens: 7, min_tokens: 7, ignore_eos: true })
    expect(encode({ forceOutputTokens: 7, params: { maxTokens: 20 } })).toMatchObject({ max_tokens: 20, min_tokens: 7 })
    expect(encode({ forceOutputTokens: 7, params: { maxTokens: 5 } })).toMatchObject({ max_tokens: 5, min_tokens: 5 })
    const openai = encode({ forceOutputTokens: 7 }, serverDialects.openai)
    expect(openai).toMatchObject({ max_completion_tokens: 7 })
    expect(openai).not.toHaveProperty('min_tokens')
  })

  test('describes tools, and steers to one only when there are some', () => {
    const tools = [{ name: 'f', description: 'd', parameters: { type: 'object', required: ['x'] } }, { name: 'g' }]
    expect(encode({ tools, toolChoice: { name: 'f' } })).toMatchObject({
      tools: [
        { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object', required: ['x'] } } },
        { type: 'function', function: { name: 'g', parameters: { type: 'object', properties: {} } } },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
    })
    expect(encode({ tools, toolChoice: 'required' }).tool_choice).toBe('required')
    expect(encode({ toolChoice: 'required' })).not.toHaveProperty('tool_choice')
  })

  test('takes extra fields last, each name once', () => {
    const tools = [{ name: 'f' }]
    const extra = { temperature: 1, tools: [], stream_options: { include_usage: false }, nested: { a: [1] } }
    const body = createChatEncoder(
      serverDialects.vllm,
      extra,
    )({ model: 'm', messages: [user('hi')], tools, params: { temperature: 0 }, stream: true, timeouts }).toString()
    expect(JSON.parse(body)).toMatchObject(extra)
    expect(body.match(/"temperature"|"tools"|"stream_options"/g)).toHaveLength(3)
  })

  test('reuses what it has written: a message and a list of tools are turned into bytes once, and not looked at again', () => {
    let reads = 0
    const counted: Message = {
      role: 'user',
      get parts() {
        reads++
        return [text('hi')]
      },
    }
    const tools = [
      {
        get name() {
          reads++
          return 'f'
        },
      },
    ]
    const encoder = createChatEncoder(serverDialects.vllm, {})
    const send = () => encoder({ model: 'm', messages: [user('x'), counted], tools, params: {}, stream: true, timeouts })
    const first = send()
    const readsOfFirst = reads
    expect(send()).toEqual(first)
    expect(reads).toBe(readsOfFirst)
  })
})

test('a server that takes no function’s name is told that some function is required', () => {
  const asked = { tools: [{ name: 'f' }], toolChoice: { name: 'f' } }
  expect(encode(asked).tool_choice).toEqual({ type: 'function', function: { name: 'f' } })
  expect(encode(asked, serverDialects['llama.cpp']).tool_choice).toBe('required')
})
