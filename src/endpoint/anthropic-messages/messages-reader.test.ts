import { expect, test } from 'vitest'
import { readEvents } from '../conversation.fixture.ts'
import { MessagesReader } from './messages-reader.ts'

const reader = () => new MessagesReader(() => 'invented')
const start = {
  type: 'message_start',
  message: {
    model: 'served',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 10, cache_read_input_tokens: 30, cache_creation_input_tokens: 2, output_tokens: 1 },
  },
}
const begin = (index: number, content_block: unknown) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, value: unknown) => ({ type: 'content_block_delta', index, delta: value })
const end = { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } }
const stop = { type: 'message_stop' }
const hello = [begin(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta', text: 'Hello' })]

test('a stream: thinking, text, and calls whose arguments come in pieces', () => {
  const read = reader()
  const outcome = readEvents(read, [
    start,
    begin(0, { type: 'thinking', thinking: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'hm' }),
    delta(0, { type: 'signature_delta', signature: 'xyz' }),
    { type: 'ping' },
    begin(1, { type: 'text', text: '' }),
    delta(1, { type: 'text_delta', text: 'Hel' }),
    delta(1, { type: 'text_delta', text: 'lo' }),
    begin(2, { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }),
    delta(2, { type: 'input_json_delta', partial_json: '' }),
    delta(2, { type: 'input_json_delta', partial_json: '{"x":' }),
    delta(2, { type: 'input_json_delta', partial_json: '1}' }),
    { type: 'content_block_stop', index: 2 },
    begin(3, { type: 'tool_use', id: 'toolu_1', name: 'g', input: {} }),
    end,
    stop,
  ])
  expect(outcome).toEqual({
    state: 'ok',
    finishReason: 'tool_use',
    message: {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'Hello' },
        { type: 'tool_call', id: 'toolu_1', name: 'f', arguments: '{"x":1}' },
        { type: 'tool_call', id: 'invented', name: 'g', arguments: '' },
      ],
    },
  })
  expect(read).toMatchObject({ outputs: 7, done: true, servedModel: 'served' })
})

test('usage of both ends of the stream, with the cache in the input', () => {
  const read = reader()
  readEvents(read, [start, ...hello, end, stop])
  expect(read.usage).toEqual({ inputTokens: 42, outputTokens: 9, cachedInputTokens: 30, cacheWriteTokens: 2 })
  const late = reader()
  readEvents(late, [start, ...hello, { ...end, usage: { input_tokens: 11, output_tokens: 9 } }, stop])
  expect(late.usage?.inputTokens).toBe(43)
  expect(reader().usage).toBeNull()
})

test('a whole body has the same', () => {
  const read = reader()
  read.readBody(
    JSON.stringify({
      ...start.message,
      content: [
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', id: 't', name: 'f', input: { x: 1 } },
        { type: 'tool_use', id: 'u', name: 'g', input: {} },
      ],
      stop_reason: 'tool_use',
    }),
  )
  expect(read.finish()).toMatchObject({
    state: 'ok',
    message: { parts: [{ text: 'Hello' }, { id: 't', arguments: '{"x":1}' }, { id: 'u', arguments: '{}' }] },
  })
  expect(read.outputs).toBe(1)
})

test.each<[name: string, events: readonly unknown[], label: string, message: string]>([
  ['cut before its end', [start, ...hello], 'truncated', 'message_stop'],
  ['without output', [start, { ...end, delta: { stop_reason: 'refusal' } }, stop], 'empty_output', "'refusal'"],
  [
    'an error event',
    [start, ...hello, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
    'stream_error',
    'Overloaded',
  ],
  ['an error without a name', ['{"error":{"message":"boom"}}'], 'stream_error', 'boom'],
  ['no JSON', ['<html>'], 'bad_response', '<html>'],
])('fails: %s', (_name, events, label, message) => {
  const outcome = readEvents(reader(), events)
  expect(outcome).toMatchObject({ state: 'failed', failure: { label, message: expect.stringContaining(message) } })
})

test.each([
  ['[]', 'bad_response'],
  ['{"type":"error","error":{"type":"api_error","message":"boom"}}', 'stream_error'],
  ['{"choices":[]}', 'bad_response'],
  ['{"content":[],"stop_reason":"end_turn"}', 'empty_output'],
])('a body that is none: %s', (body, label) => {
  const read = reader()
  read.readBody(body)
  expect(read.finish()).toMatchObject({ state: 'failed', failure: { label } })
})

test.each([
  null,
  5,
  'x',
  [],
  {},
  { type: 'content_block_start' },
  { type: 'content_block_delta', delta: [] },
  { type: 'message_start', message: { content: [null, 3] } },
])('no event breaks it: %j', (event) => {
  expect(() => readEvents(reader(), [JSON.stringify(event)])).not.toThrow()
})
