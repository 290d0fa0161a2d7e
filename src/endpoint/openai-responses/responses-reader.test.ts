import { expect, test } from 'vitest'
import { readEvents } from '../conversation.fixture.ts'
import { ResponsesReader } from './responses-reader.ts'

const reader = () => new ResponsesReader(() => 'invented')
const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
}
const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] }
const functionCall = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"x":1}' }
const completed = { type: 'response.completed', response: { model: 'served', status: 'completed', output: [], usage } }
const textDelta = (delta: string) => ({ type: 'response.output_text.delta', output_index: 1, delta })
const parts = [
  { type: 'reasoning', text: 'hm' },
  { type: 'text', text: 'Hello' },
  { type: 'tool_call', id: 'call_1', name: 'f', arguments: '{"x":1}' },
]

test('a stream: each item put together from its deltas, its end not told twice', () => {
  const read = reader()
  const outcome = readEvents(read, [
    { type: 'response.created', response: { model: 'served', status: 'in_progress' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', summary: [] } },
    { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'hm' },
    { type: 'response.output_item.added', output_index: 1, item: { type: 'message', content: [] } },
    textDelta('Hel'),
    textDelta('lo'),
    { type: 'response.output_text.done', output_index: 1, text: 'Hello' },
    { type: 'response.output_item.done', output_index: 1, item: message },
    { type: 'response.output_item.added', output_index: 2, item: { ...functionCall, arguments: '' } },
    { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"x":' },
    { type: 'response.function_call_arguments.delta', output_index: 2, delta: '1}' },
    { type: 'response.output_item.done', output_index: 2, item: functionCall },
    { ...completed, response: { ...completed.response, output: [message, functionCall] } },
  ])
  expect(outcome).toEqual({ state: 'ok', finishReason: 'completed', message: { role: 'assistant', parts } })
  expect(read).toMatchObject({ outputs: 6, done: true, servedModel: 'served' })
  expect(read.usage).toEqual({ inputTokens: 10, outputTokens: 7, cachedInputTokens: 4, reasoningTokens: 2 })
})

test('a stream that tells its items only when they are done, or only at its end', () => {
  const done = reader()
  readEvents(done, [
    { type: 'response.output_item.done', output_index: 0, item: functionCall },
    { type: 'response.output_item.done', output_index: 1, item: message },
    completed,
  ])
  expect(done.outputs).toBe(2)
  const late = reader()
  expect(readEvents(late, [{ ...completed, response: { ...completed.response, output: [message] } }])).toMatchObject({
    message: { parts: [{ text: 'Hello' }] },
  })
  expect(late.outputs).toBe(1)
})

test('a whole body has the same', () => {
  const read = reader()
  const reasoning = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] }
  const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  read.readBody(
    JSON.stringify({ model: 'served', output: [reasoning, message, functionCall], usage, error: null, ...incomplete }),
  )
  expect(read.finish()).toEqual({ state: 'ok', finishReason: 'max_output_tokens', message: { role: 'assistant', parts } })
  expect(read).toMatchObject({ outputs: 1, usage: { inputTokens: 10 } })
})

test.each<[name: string, events: readonly unknown[], label: string, said: string]>([
  ['cut before its end', [textDelta('Hello')], 'truncated', 'response.completed'],
  ['without output', [completed], 'empty_output', "'completed'"],
  [
    'failed',
    [textDelta('a'), { type: 'response.failed', response: { status: 'failed', error: { message: 'boom' } } }],
    'stream_error',
    'boom',
  ],
  ['an error event', [{ type: 'error', code: 'x', message: 'boom' }], 'stream_error', 'boom'],
  ['no JSON', ['nonsense'], 'bad_response', 'nonsense'],
])('fails: %s', (_name, events, label, said) => {
  const outcome = readEvents(reader(), events)
  expect(outcome).toMatchObject({ state: 'failed', failure: { label, message: expect.stringContaining(said) } })
})

test.each([
  ['7', 'bad_response'],
  ['{"error":{"message":"boom"}}', 'stream_error'],
  ['{"content":[]}', 'bad_response'],
])('a body that is none: %s', (body, label) => {
  const read = reader()
  read.readBody(body)
  expect(read.finish()).toMatchObject({ state: 'failed', failure: { label } })
})

test.each([
  null,
  5,
  [],
  {},
  { type: 'response.output_item.added' },
  { type: 'response.completed', response: { output: [null] } },
])('no event breaks it: %j', (event) => {
  expect(() => readEvents(reader(), [JSON.stringify(event)])).not.toThrow()
})
