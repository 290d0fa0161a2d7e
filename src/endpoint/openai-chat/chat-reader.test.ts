import { describe, expect, test } from 'vitest'
import { ChatReader } from './chat-reader.ts'
import { KnownChunks } from './known-chunks.ts'

function read(events: readonly unknown[]) {
  let invented = 0
  const reader = new ChatReader(() => `invented_${++invented}`, new KnownChunks())
  const outputs = events.map((event) => {
    const before = reader.outputs
    reader.readEvent(typeof event === 'string' ? event : JSON.stringify(event), '')
    return reader.outputs > before
  })
  return { reader, outputs, outcome: reader.finish() }
}

function readWhole(body: unknown) {
  const reader = new ChatReader(() => 'invented', new KnownChunks())
  reader.readBody(typeof body === 'string' ? body : JSON.stringify(body))
  return { reader, outcome: reader.finish() }
}

const delta = (fields: object, finishReason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finishReason }],
})
const stop = delta({}, 'stop')
const text = (value: string) => ({ type: 'text', text: value })
const reasoning = (value: string) => ({ type: 'reasoning', text: value })
const call = (id: string, name: string, args: string) => ({ type: 'tool_call', id, name, arguments: args })

function partsOf(events: readonly unknown[]): unknown {
  const { outcome } = read(events)
  if (outcome.state !== 'ok') throw new Error(outcome.failure.message)
  return outcome.message.parts
}

describe('output', () => {
  test.each<[name: string, chunk: unknown, isOutput: boolean]>([
    ['a role with an empty text', delta({ role: 'assistant', content: '' }), false],
    ['a role with null', delta({ role: 'assistant', content: null }), false],
    ['text', delta({ content: 'a' }), true],
    ['a blank', delta({ content: ' ' }), true],
    ['reasoning_content', delta({ reasoning_content: 'a' }), true],
    ['reasoning', delta({ content: null, reasoning: 'a' }), true],
    ['a refusal', delta({ refusal: 'no' }), true],
    ['blocks', delta({ content: [{ type: 'text', text: 'a' }] }), true],
    ['empty blocks', delta({ content: [] }), false],
    [
      'the beginning of a tool call',
      delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] }),
      true,
    ],
    ['tool_calls: null', delta({ content: 'a', tool_calls: null }), true],
    ['tool_calls: []', delta({ tool_calls: [] }), false],
    ['a finish reason alone', stop, false],
    ['no choices', { choices: [] }, false],
    ['choices: null', { choices: null }, false],
    ['choices absent', { id: 'x' }, false],
    ['usage alone', { choices: [], usage: { prompt_tokens: 1 } }, false],
    ['a delta that is null', { choices: [{ index: 0, delta: null }] }, false],
    ['an empty data line', '', false],
    ['a second choice that was not asked for', { choices: [{ index: 1, delta: { content: 'b' } }] }, false],
  ])('%s', (_name, chunk, isOutput) => {
    expect(read([chunk]).outputs).toEqual([isOutput])
  })

  test('more tool call arguments are output, their absence is none', () => {
    const begin = delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] })
    const more = (args: string) => delta({ tool_calls: [{ index: 0, function: { arguments: args } }] })
    expect(read([begin, more('{'), more(''), more('}')]).outputs).toEqual([true, true, false, true])
  })
})

describe('the message', () => {
  test.each<[name: string, events: readonly unknown[], parts: readonly unknown[]]>([
    [
      'text from many chunks',
      [delta({ role: 'assistant', content: '' }), delta({ content: 'He' }), delta({ content: 'llo' }), stop],
      [text('Hello')],
    ],
    ['text that comes with the finish reason', [delta({ content: 'a' }), delta({ content: 'b' }, 'stop')], [text('ab')]],
    [
      'escapes',
      [delta({ content: 'a' }), delta({ content: 'b' }), delta({ content: '"\\\n\u0001é𝄞' }), stop],
      [text('ab"\\\n\u0001é𝄞')],
    ],
    [
      'reasoning before text',
      [delta({ reasoning: 'hm' }), delta({ reasoning_content: '.' }), delta({ content: 'a' }), stop],
      [reasoning('hm.'), text('a')],
    ],
    [
      'reasoning sent under both names',
      [delta({ reasoning: 'hm', reasoning_content: 'hm' }), delta({ content: 'a' }), stop],
      [reasoning('hm'), text('a')],
    ],
    [
      'blocks of thinking and text',
      [
        delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
        delta({ content: [text('a'), 'b', null, 3] }),
        stop,
      ],
      [reasoning('hm'), text('ab')],
    ],
    ['a single block', [delta({ content: { type: 'text', text: 'a' } }), stop], [text('a')]],
    [
      'a legacy function call',
      [delta({ function_call: { name: 'f', arguments: '' } }), delta({ function_call: { arguments: '{}' } }), stop],
      [call('invented_1', 'f', '{}')],
    ],
    ['the whole message in one event', [{ choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] }], [text('a')]],
    [
      'a closing event that repeats the message',
      [delta({ content: 'a' }), { choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] }],
      [text('a')],
    ],
    ['events after [DONE] do not count', [delta({ content: 'a' }), '[DONE]', delta({ content: 'b' })], [text('a')]],
  ])('%s', (_name, events, parts) => {
    expect(partsOf(events)).toEqual(parts)
  })

  test('a whole body gives what the same answer gives in pieces', () => {
    const whole = readWhole({
      model: 'm',
      usage: { prompt_tokens: 3, completion_tokens: 2 },
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            reasoning_content: 'hm',
            content: 'a',
            tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{}' } }],
          },
        },
      ],
    })
    const streamed = read([
      { model: 'm', ...delta({ reasoning_content: 'hm' }) },
      delta({ content: 'a' }),
      delta({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'f', arguments: '{}' } }] }),
      delta({}, 'tool_calls'),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
    ])
    expect(whole.outcome).toEqual(streamed.outcome)
    expect([whole.reader.usage, whole.reader.servedModel]).toEqual([streamed.reader.usage, streamed.reader.servedModel])
    expect(whole.reader.outputs).toBe(1)
  })
})

describe('how it ends', () => {
  const a = delta({ content: 'a' })
  test.each<[name: string, events: readonly unknown[], outcome: string]>([
    ['a finish reason', [a, stop], 'ok stop'],
    ['a finish reason and [DONE]', [a, delta({}, 'length'), '[DONE]'], 'ok length'],
    ['[DONE] alone', [a, ' [DONE] '], 'ok unknown'],
    ['neither', [a], 'truncated'],
    ['nothing at all', [], 'truncated'],
    ['a finish reason that is no text', [a, { choices: [{ delta: {}, finish_reason: 7 }] }], 'truncated'],
    ['no output', [delta({ role: 'assistant', content: '' }), stop, '[DONE]'], 'empty_output'],
    ['an error object', [a, { error: { message: 'out of memory', code: 500 } }], 'stream_error: out of memory'],
    ['an error text', [a, { error: 'boom' }], 'stream_error: boom'],
    ['an error without words', [a, { error: {} }], 'stream_error: an error without a message: {"error":{}}'],
    ['an error of the old kind', [{ object: 'error', message: 'no such model' }], 'stream_error: no such model'],
    ['error: null is none', [{ error: null, ...a }, stop], 'ok stop'],
    [
      'a generation the server gave up',
      [a, delta({}, 'abort')],
      "stream_error: the server ended the generation with finish_reason 'abort'",
    ],
    [
      'an error inside the choice',
      [a, { choices: [{ delta: {}, finish_reason: 'error', error: { message: 'upstream' } }] }],
      'stream_error: upstream',
    ],
    ['data that is no JSON', [a, '{"choices": [{'], 'bad_response: an event that is not a JSON object: {"choices": [{'],
    ['JSON that is no object', ['[1]'], 'bad_response: an event that is not a JSON object: [1]'],
    ['the first failure counts', [{ error: 'one' }, '{', { error: 'two' }], 'stream_error: one'],
  ])('%s', (_name, events, expected) => {
    const { outcome } = read(events)
    const seen = outcome.state === 'ok' ? `ok ${outcome.finishReason}` : `${outcome.failure.label}: ${outcome.failure.message}`
    expect(seen.startsWith(expected), seen).toBe(true)
  })

  test.each(['{"error":{"message":"boom"}}', '{"message":"boom"}', 'boom'])('an event named error fails: %s', (data) => {
    const reader = new ChatReader(() => '', new KnownChunks())
    reader.readEvent(data, 'error')
    expect(reader.failure).toEqual({ label: 'stream_error', message: 'boom' })
  })

  test.each<[name: string, body: unknown, label: string]>([
    ['HTML', '<html><title>Welcome</title></html>', 'bad_response: the body is not a JSON object: Welcome'],
    ['nothing', '', 'bad_response'],
    ['cut JSON', '{"choices":[', 'bad_response'],
    ['no choices', { detail: 'hello' }, 'bad_response: the body has no `choices`: hello'],
    ['an error', { error: { message: 'boom' } }, 'stream_error: boom'],
    ['no output', { choices: [{ message: { content: '' }, finish_reason: 'stop' }] }, 'empty_output'],
  ])('a whole body with %s', (_name, body, expected) => {
    const { outcome } = readWhole(body)
    const seen = outcome.state === 'ok' ? 'ok' : `${outcome.failure.label}: ${outcome.failure.message}`
    expect(seen.startsWith(expected), seen).toBe(true)
  })
})

test('no value in any place makes it throw', () => {
  const values = [null, 0, -1, 0.5, '', 'x', true, [], [null], [[]], {}, { '': 1 }]
  const places: ((value: unknown) => unknown)[] = [
    (value) => value,
    (value) => ({ choices: value }),
    (value) => ({ choices: [value] }),
    (value) => ({ model: value, usage: value, error: null, choices: [{ index: value, delta: { content: 'a' } }] }),
    (value) => ({
      usage: { prompt_tokens: value, prompt_tokens_details: value, completion_tokens_details: { reasoning_tokens: value } },
    }),
    (value) => ({ choices: [{ delta: value, message: value, finish_reason: value }] }),
    (value) => delta({ content: value, reasoning: value, reasoning_content: value, refusal: value, function_call: value }),
    (value) => delta({ content: [value] }),
    (value) => delta({ tool_calls: value }),
    (value) => delta({ tool_calls: [value] }),
    (value) => delta({ tool_calls: [{ index: value, id: value, function: value }] }),
    (value) => delta({ tool_calls: [{ index: 0, function: { name: value, arguments: value } }] }),
    (value) => ({ error: value }),
    (value) => ({ error: { message: value } }),
  ]
  for (const place of places) {
    for (const value of values) {
      const { outcome } = read([place(value), stop])
      expect(['ok', 'failed']).toContain(outcome.state)
      readWhole(place(value))
    }
  }
})
