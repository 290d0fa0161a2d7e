import { expect, test } from 'vitest'
import { anyValue, callIds, EPOCH_MS, otlpFile, readFiles, type SpanSketch } from '../trace.fixture.ts'
import { told } from './told-calls.fixture.ts'

const TRACE = '0123456789abcdef0123456789abcdef'

const span = (id: string, start: number, end: number, attributes: Record<string, unknown> = {}): SpanSketch => ({
  id,
  trace: TRACE,
  parent: 'interaction',
  name: 'claude_code.llm_request',
  start,
  end,
  attributes: { 'session.id': 's1', model: 'deep-1', query_source: 'repl_main_thread', request_id: `req_${id}`, ...attributes },
})
const interaction: SpanSketch = {
  ...span('interaction', 0, 9_000, { user_prompt: '<REDACTED>' }),
  parent: '',
  name: 'claude_code.interaction',
}

/** Names the span around the requests, as the records do. */
const log = (name: string, timeMs: number, attributes: Record<string, unknown>) => ({
  timeUnixNano: `${EPOCH_MS + timeMs}000000`,
  traceId: TRACE,
  spanId: 'interaction',
  body: { stringValue: `claude_code.${name}` },
  attributes: Object.entries({ 'event.name': name, 'session.id': 's1', model: 'deep-1', ...attributes }).map(([key, value]) => ({
    key,
    value: anyValue(value),
  })),
})
const request = (timeMs: number, content: string, more: Record<string, unknown> = {}) =>
  log('api_request_body', timeMs, {
    query_source: 'repl_main_thread',
    body: JSON.stringify({
      model: 'deep-1',
      max_tokens: 300,
      system: [{ type: 'text', text: 'You know lakes.' }],
      messages: [{ role: 'user', content }],
      tools: [{ name: 'depth', input_schema: { type: 'object', properties: { lake: { type: 'string' } } } }],
    }),
    ...more,
  })
const response = (timeMs: number, id: string, text: string) =>
  log('api_response_body', timeMs, {
    request_id: `req_${id}`,
    body: JSON.stringify({ id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'text', text }] }),
  })

test('bodies in log records that name the span around join the request, tokens and first token come from its span', () => {
  const tokens = { input_tokens: 10, cache_read_tokens: 70, cache_creation_tokens: 10, output_tokens: 5, ttft_ms: 21 }
  const reading = readFiles([
    otlpFile([interaction, span('a', 100, 500, tokens)]),
    otlpFile([], [request(101, 'How deep?'), response(499, 'a', 'Deep.')]),
  ])
  expect(callIds(reading)).toEqual([['a']])
  expect(told(reading)).toEqual([
    {
      model: 'deep-1',
      messages: ['system: You know lakes.', 'user: How deep?'],
      output: 'assistant: Deep.',
      tools: ['depth(lake)'],
      params: { maxTokens: 300 },
      usage: { inputTokens: 90, outputTokens: 5, cachedInputTokens: 70, cacheWriteTokens: 10 },
    },
  ])
  expect(reading.sessions[0]).toMatchObject({ id: 's1', calls: [{ ttftMs: 21 }] })
  expect(reading.warnings).toEqual([])
})

test('of requests under way at once, each gets its own bodies', () => {
  const agent = span('b', 3_000, 6_000, { query_source: 'agent' })
  const logs = [
    request(3_001, 'of the agent', { query_source: 'agent' }),
    request(2_901, 'of the main thread'),
    response(5_900, 'b', 'to the agent'),
    response(5_950, 'a', 'to the main thread'),
  ]
  const reading = readFiles([otlpFile([interaction, span('a', 2_900, 6_000), agent], logs)])
  expect(told(reading).map(({ messages, output }) => [messages.at(-1), output])).toEqual([
    ['user: of the main thread', 'assistant: to the main thread'],
    ['user: of the agent', 'assistant: to the agent'],
  ])
})

test('of several attempts the last counts', () => {
  const reading = readFiles([otlpFile([interaction, span('a', 100, 5_000)], [request(101, 'first'), request(3_000, 'last')])])
  expect(told(reading)[0]?.messages.at(-1)).toBe('user: last')
})

test('records that name the request itself are its own', () => {
  const own = { ...request(101, 'How deep?'), spanId: 'a' }
  expect(told(readFiles([otlpFile([span('a', 100, 500)], [own])]))[0]?.messages.at(-1)).toBe('user: How deep?')
})

test('a record of another session, model or time is not', () => {
  const logs = [
    request(101, 'session', { 'session.id': 's2' }),
    request(101, 'model', { model: 'deep-2' }),
    request(4_000, 'time'),
    response(400, 'z', 'request'),
  ]
  expect(() => readFiles([otlpFile([interaction, span('a', 100, 500)], logs)])).toThrow('no input was recorded')
})

test('a body that was cut off is an error that names the setting', () => {
  const cut = request(101, '', {
    body: '{"model":"deep-1","messages":[{"role":"us',
    body_truncated: 'true',
    body_length: 110_141,
  })
  expect(() => readFiles([otlpFile([interaction, span('a', 100, 500)], [cut])])).toThrow(
    /span a .*it had 110141 characters.*CLAUDE_CODE_OTEL_CONTENT_MAX_LENGTH/s,
  )
})

test('bodies in files of their own are said to be there', () => {
  const elsewhere = request(101, '', { body: '', body_ref: '/bodies/1.request.json' })
  const files = [otlpFile([interaction, span('a', 100, 500), span('b', 600, 700)], [elsewhere, request(601, 'How deep?')])]
  expect(readFiles(files).warnings.map(({ code }) => code)).toContain('content-in-other-file')
})
