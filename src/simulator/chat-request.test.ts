import { describe, expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { readChatRequest } from './chat-request.ts'
import { USER, WEATHER_TOOL } from './client.fixture.ts'

function call(id: string, name = 'get_weather') {
  return { id, type: 'function', function: { name, arguments: '{}' } }
}

const calls = (...ids: string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map((id) => call(id)) })
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'Sunny' })

function read(fields: Readonly<Record<string, unknown>>) {
  return readChatRequest({ model: 'm', messages: [USER], ...fields }, 16)
}

function refusal(fields: Readonly<Record<string, unknown>>): ApiError {
  try {
    read(fields)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('was accepted')
}

describe('messages are accepted', () => {
  test.each<[string, readonly unknown[]]>([
    [
      'of every role',
      [{ role: 'system', content: 's' }, { role: 'developer', content: 'd' }, USER, { role: 'assistant', content: '' }],
    ],
    ['with a call and its result', [USER, calls('a'), result('a')]],
    ['with several calls, answered in any order', [USER, calls('a', 'b', 'c'), result('c'), result('a'), result('b'), USER]],
    ['that use an id again in a later turn', [USER, calls('a'), result('a'), USER, calls('a'), result('a')]],
    ['with a call beside text', [USER, { ...calls('a'), content: 'Let me see.' }, result('a')]],
    ['with a call and no content at all', [USER, { role: 'assistant', tool_calls: [call('a')] }, result('a')]],
    ['with tool_calls null', [USER, { role: 'assistant', content: 'x', tool_calls: null }]],
    [
      'with arguments that are not JSON',
      [USER, { ...calls('a'), tool_calls: [{ ...call('a'), function: { name: 'f', arguments: '{' } }] }, result('a')],
    ],
    [
      'with text in parts',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
    ],
    ['with a picture', [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] }]],
    ['with fields nobody knows', [{ ...USER, name: 'Ada', cache_control: { type: 'ephemeral' } }]],
  ])('%s', (_, messages) => {
    expect(read({ messages }).prompt.length).toBeGreaterThan(0)
  })
})

describe('messages are refused', () => {
  test.each<[string, unknown, string]>([
    ['when missing', undefined, 'messages'],
    ['when empty', [], 'messages'],
    ['that are no array', { 0: USER }, 'messages'],
    ['that are no objects', ['hi'], 'messages[0]'],
    ['that are null', [null], 'messages[0]'],
    ['without a role', [{ content: 'x' }], 'messages[0].role'],
    ['of an unknown role', [{ role: 'robot', content: 'x' }], 'messages[0].role'],
    ['of a role named like a built-in', [{ role: 'constructor', content: 'x' }], 'messages[0].role'],
    ['without content', [{ role: 'user' }], 'messages[0].content'],
    ['with content null', [USER, { role: 'assistant', content: null }], 'messages[1].content'],
    ['with content of another kind', [{ role: 'user', content: 5 }], 'messages[0].content'],
    ['with no parts', [{ role: 'user', content: [] }], 'messages[0].content'],
    ['with a part of an unknown type', [{ role: 'user', content: [{ type: 'hologram' }] }], 'messages[0].content[0].type'],
    ['with a text part without text', [{ role: 'user', content: [{ type: 'text' }] }], 'messages[0].content[0].text'],
    [
      'with a picture that is a string',
      [{ role: 'user', content: [{ type: 'image_url', image_url: 'x' }] }],
      'messages[0].content[0].image_url',
    ],
    ['with no calls in tool_calls', [USER, { role: 'assistant', content: 'x', tool_calls: [] }], 'messages[1].tool_calls'],
    [
      'with a call without an id',
      [USER, { ...calls('a'), tool_calls: [{ ...call('a'), id: undefined }] }, result('a')],
      'messages[1].tool_calls[0].id',
    ],
    ['with a call with an empty id', [USER, calls(''), result('')], 'messages[1].tool_calls[0].id'],
    [
      'with a call without a function',
      [USER, { ...calls('a'), tool_calls: [{ id: 'a' }] }],
      'messages[1].tool_calls[0].function',
    ],
    [
      'with a call of another type',
      [USER, { ...calls('a'), tool_calls: [{ ...call('a'), type: 'custom' }] }],
      'messages[1].tool_calls[0].type',
    ],
    [
      'with a call without a name',
      [USER, { ...calls('a'), tool_calls: [call('a', '')] }],
      'messages[1].tool_calls[0].function.name',
    ],
    [
      'with arguments that are an object',
      [USER, { ...calls('a'), tool_calls: [{ id: 'a', function: { name: 'f', arguments: {} } }] }],
      'messages[1].tool_calls[0].function.arguments',
    ],
    ['with a call without its result', [USER, calls('a')], 'messages[1].tool_calls'],
    ['with a call whose result comes too late', [USER, calls('a'), USER, result('a')], 'messages[1].tool_calls'],
    ['with one of several calls without its result', [USER, calls('a', 'b'), result('b'), USER], 'messages[1].tool_calls'],
    ['with a call followed by another call', [USER, calls('a'), calls('b'), result('b')], 'messages[1].tool_calls'],
    ['with a result that answers nothing', [USER, result('a')], 'messages[1].tool_call_id'],
    ['with a result at the head', [result('a'), USER], 'messages[0].tool_call_id'],
    ['with a result of another id', [USER, calls('a'), result('A')], 'messages[2].tool_call_id'],
    ['with a result of an earlier turn', [USER, calls('a'), result('a'), USER, result('a')], 'messages[4].tool_call_id'],
    ['with two results for a call', [USER, calls('a', 'b'), result('a'), result('a'), result('b')], 'messages[3].tool_call_id'],
    ['with a result without an id', [USER, calls('a'), { role: 'tool', content: 'x' }], 'messages[2].tool_call_id'],
    ['with a result without content', [USER, calls('a'), { role: 'tool', tool_call_id: 'a' }], 'messages[2].content'],
    ['with two calls of one id', [USER, calls('a', 'a'), result('a')], 'messages[1].tool_calls[1].id'],
  ])('%s', (_, messages, param) => {
    const error = refusal({ messages })
    expect([error.status, error.type, error.param]).toEqual([400, 'invalid_request_error', param])
    expect(error.message).toContain(`'${param}'`)
  })

  test('with the ids in question', () => {
    expect(refusal({ messages: [USER, calls('a', 'b', 'c'), result('b'), USER] }).message).toMatchInlineSnapshot(
      `"'messages[1].tool_calls' has no result for 'a', 'c': tool messages that answer every tool call must follow directly."`,
    )
    expect(refusal({ messages: [USER, calls('a'), result('x')] }).message).toMatchInlineSnapshot(
      `"'messages[2].tool_call_id' is 'x', but no tool call of that id stands in the assistant message before: a tool message must answer one."`,
    )
    expect(refusal({ messages: [USER, calls('a'), result('a'), result('a')] }).message).toMatchInlineSnapshot(
      `"'messages[3].tool_call_id' is 'a', but that tool call has its result already."`,
    )
  })
})

describe('other fields are refused', () => {
  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['model missing', { model: undefined }, 'model'],
    ['model empty', { model: '' }, 'model'],
    ['model a number', { model: 4 }, 'model'],
    ['several choices', { n: 2 }, 'n'],
    ['no choice', { n: 0 }, 'n'],
    ['log probabilities', { logprobs: true }, 'logprobs'],
    ['functions of old', { functions: [] }, 'functions'],
    ['stream a string', { stream: 'true' }, 'stream'],
    ['stream_options without a stream', { stream_options: { include_usage: true } }, 'stream_options'],
    ['include_usage a string', { stream: true, stream_options: { include_usage: 'yes' } }, 'stream_options.include_usage'],
    ['max_tokens 0', { max_tokens: 0 }, 'max_tokens'],
    ['max_tokens a fraction', { max_tokens: 1.5 }, 'max_tokens'],
    ['max_tokens a string', { max_tokens: '5' }, 'max_tokens'],
    ['max_completion_tokens negative', { max_completion_tokens: -1 }, 'max_completion_tokens'],
    ['min_tokens beyond max_tokens', { min_tokens: 6, max_tokens: 5 }, 'min_tokens'],
    ['ignore_eos a number', { ignore_eos: 1 }, 'ignore_eos'],
    ['temperature too high', { temperature: 3 }, 'temperature'],
    ['top_p a string', { top_p: 'x' }, 'top_p'],
    ['stop of numbers', { stop: [1] }, 'stop'],
    ['seed a fraction', { seed: 0.5 }, 'seed'],
    ['tools an object', { tools: {} }, 'tools'],
    ['tools empty', { tools: [] }, 'tools'],
    ['a tool of another type', { tools: [{ type: 'retrieval' }] }, 'tools[0].type'],
    ['a tool without a function', { tools: [{ type: 'function' }] }, 'tools[0].function'],
    ['a tool without a name', { tools: [{ type: 'function', function: {} }] }, 'tools[0].function.name'],
    [
      'parameters a string',
      { tools: [{ type: 'function', function: { name: 'f', parameters: 'x' } }] },
      'tools[0].function.parameters',
    ],
    ['tool_choice without tools', { tool_choice: 'auto' }, 'tool_choice'],
    ['tool_choice of an unknown kind', { tools: [WEATHER_TOOL], tool_choice: 'any' }, 'tool_choice'],
    ['tool_choice of another type', { tools: [WEATHER_TOOL], tool_choice: { type: 'tool', name: 'x' } }, 'tool_choice.type'],
    [
      'tool_choice of a function not offered',
      { tools: [WEATHER_TOOL], tool_choice: { type: 'function', function: { name: 'x' } } },
      'tool_choice.function.name',
    ],
    ['response_format of an unknown type', { response_format: { type: 'xml' } }, 'response_format.type'],
    ['json_schema without a schema', { response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
  ])('%s', (_, fields, param) => {
    const error = refusal(fields)
    expect([error.status, error.param]).toEqual([400, param])
  })
})

describe('other fields are read', () => {
  test.each<[Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
    [
      {},
      { minTokens: 0, ignoreEos: false, stream: false, streamUsage: false, toolChoice: 'none', parallelToolCalls: true, seed: 0 },
    ],
    [{ max_tokens: 5 }, { maxTokens: 5 }],
    [{ max_tokens: 5, max_completion_tokens: 7 }, { maxTokens: 7 }],
    [
      { max_tokens: null, stream: null, tools: null, tool_choice: null, n: null, stop: null },
      { stream: false, tools: [] },
    ],
    [
      { min_tokens: 5, max_tokens: 5, ignore_eos: true },
      { minTokens: 5, maxTokens: 5, ignoreEos: true },
    ],
    [
      { stream: true, stream_options: { include_usage: true } },
      { stream: true, streamUsage: true },
    ],
    [{ stream: true, stream_options: {} }, { streamUsage: false }],
    [{ tools: [WEATHER_TOOL] }, { toolChoice: 'auto' }],
    [
      { tools: [WEATHER_TOOL], tool_choice: 'required', parallel_tool_calls: false },
      { toolChoice: 'required', parallelToolCalls: false },
    ],
    [
      { tools: [WEATHER_TOOL], tool_choice: { type: 'function', function: { name: 'get_weather' } } },
      { toolChoice: { name: 'get_weather' } },
    ],
    [{ tool_choice: 'none' }, { toolChoice: 'none' }],
    [{ tools: [{ type: 'function', function: { name: 'f', parameters: null } }] }, { tools: [{ name: 'f' }] }],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'array' } } } },
      { textSchema: { type: 'array' } },
    ],
    [{ response_format: { type: 'text' }, seed: 7, temperature: 0, stop: ['x'], n: 1, logprobs: false }, { seed: 7 }],
    [{ repetition_penalty: 1, chat_template_kwargs: { enable_thinking: false } }, {}],
  ])('%j', (fields, expected) => {
    expect(read(fields)).toMatchObject(expected)
  })
})

test('tells which text a request holds', () => {
  const request = read({
    messages: [{ role: 'user', content: [{ type: 'text', text: 'find "me"\n' }] }, calls('a'), result('a')],
  })
  expect([request.includesText('"me"\n'), request.includesText('Sunny'), request.includesText('get_weather')]).toEqual([
    true,
    true,
    false,
  ])
})

test('the prompt grows with everything the model must read', () => {
  const tokens = (fields: Readonly<Record<string, unknown>>) => read(fields).prompt.length
  const base = tokens({})
  expect(tokens({ messages: [USER, USER] })).toBeGreaterThan(base)
  expect(tokens({ tools: [WEATHER_TOOL] })).toBeGreaterThan(base)
  expect(tokens({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] })).toBeGreaterThan(256)
  expect(tokens({ messages: [USER, { role: 'assistant', content: 'x', reasoning: 'because' }] })).toBe(
    tokens({ messages: [USER, { role: 'assistant', content: 'x' }] }) + 2,
  )
})
