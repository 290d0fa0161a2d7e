import { describe, expect, test } from 'vitest'
import { assistant, bare, call, conversation, readEvents, text, user, weather, written } from '../conversation.fixture.ts'
import { request } from '../endpoint.fixture.ts'
import type { EndpointRequest } from '../endpoint.ts'
import { serverDialects } from '../server-dialect.ts'
import { CompletionsReader } from './completions-reader.ts'
import { createCompletionsEncoder } from './encode-request.ts'

const encoder = (dialect = serverDialects.vllm) => createCompletionsEncoder(dialect, {}, (tools) => tools)
const encode = (more: Partial<EndpointRequest>) => written(encoder(), more)

describe('the request', () => {
  test('a lone message is the prompt as it stands', () => {
    const prompt = 'Once "upon"\n\u2028 a \ud800 time'
    expect(encode({ messages: [user(prompt)], params: { maxTokens: 5 }, forceOutputTokens: 5 })).toEqual({
      model: 'asked',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 5,
      min_tokens: 5,
      ignore_eos: true,
      prompt,
    })
  })

  test('a conversation is written out, its longer form beginning with its shorter', () => {
    const { prompt } = encode({ messages: conversation })
    expect(prompt).toMatchInlineSnapshot(`
      "System: Be brief.

      User: Weather?

      Assistant: Let me see.
      {"name": "weather", "arguments": {"city":"Graz"}}
      {"name": "bare", "arguments": {}}

      Tool: sunny

      Tool: done

      User: And now?

      Assistant:"
    `)
    const longer = encode({ messages: [...conversation, assistant(text('Rain.')), user('Thanks')] }).prompt
    expect(String(longer).startsWith(String(prompt))).toBe(true)
  })

  test('a tool call is asked for by its schema, where the server takes one', () => {
    const asked = encode({ tools: [weather, bare], toolChoice: { name: 'weather' } })
    expect(asked).toMatchObject({
      response_format: {
        json_schema: { schema: { properties: { name: { enum: ['weather'] }, arguments: weather.parameters } } },
      },
    })
    expect(asked).not.toHaveProperty('tools')
    expect(String(asked.prompt)).toContain('"name":"weather"')
    expect(encode({ tools: [weather, bare], toolChoice: 'required' })).toMatchObject({
      response_format: { json_schema: { schema: { anyOf: [{}, {}] } } },
    })
    expect(encode({ tools: [weather], toolChoice: 'auto' })).not.toHaveProperty('response_format')
    const plain = written(encoder(serverDialects.openai), { tools: [weather], toolChoice: 'required' })
    expect(plain).not.toHaveProperty('response_format')
    const llama = written(encoder(serverDialects['llama.cpp']), { tools: [weather], toolChoice: { name: 'weather' } })
    expect(llama).toMatchObject({ json_schema: { properties: { name: { enum: ['weather'] } } } })
  })
})

describe('the response', () => {
  const reader = (more: Partial<EndpointRequest> = {}) => new CompletionsReader(request(more), () => 'invented')
  const chunk = (value: string, finish_reason: string | null = null) => ({
    model: 'served',
    choices: [{ index: 0, text: value, finish_reason }],
  })
  const usage = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } }
  const steered = { tools: [weather], toolChoice: { name: 'weather' } } as const

  test('streamed', () => {
    const read = reader()
    const outcome = readEvents(read, [chunk('Hel'), chunk(''), chunk('lo'), chunk('', 'length'), usage, '[DONE]'])
    expect(outcome).toEqual({ state: 'ok', finishReason: 'length', message: assistant(text('Hello')) })
    expect(read).toMatchObject({ outputs: 2, done: true, servedModel: 'served', usage: { inputTokens: 3, outputTokens: 2 } })
  })

  test('of several choices the first one alone, wherever it stands', () => {
    const second = { index: 1, text: 'no', finish_reason: 'stop' }
    const mixed = { choices: [second, { index: 0, text: 'yes', finish_reason: null }] }
    const outcome = readEvents(reader(), [mixed, { choices: [second] }, chunk('!', 'length')])
    expect(outcome).toEqual({ state: 'ok', finishReason: 'length', message: assistant(text('yes!')) })
  })

  test('whole', () => {
    const read = reader()
    read.readBody(JSON.stringify({ ...chunk('Hello', 'stop'), usage: usage.usage }))
    expect(read.finish()).toMatchObject({ state: 'ok', message: { parts: [{ text: 'Hello' }] } })
    expect(read.outputs).toBe(1)
  })

  test.each([
    ['{"name": "weather", "arguments": {"city": "Graz"}}', [call('invented', 'weather', '{"city":"Graz"}')]],
    ['[{"name": "weather", "arguments": "{}"}]', [call('invented', 'weather', '{}')]],
    ['{"name": "other", "arguments": {}}', undefined],
    ['{"name": "weather", "arg', undefined],
    ['It is sunny.', undefined],
    ['[]', undefined],
  ])('a text that was to be a tool call: %s', (value, parts) => {
    const outcome = readEvents(reader(steered), [chunk(value, 'stop')])
    expect(outcome).toMatchObject({ message: assistant(...(parts ?? [text(value)])) })
    const unasked = readEvents(reader({ tools: [weather] }), [chunk(value, 'stop')])
    expect(unasked).toMatchObject({ message: assistant(text(value)) })
  })

  test.each<[name: string, events: readonly unknown[], label: string]>([
    ['cut', [chunk('a')], 'truncated'],
    ['empty', [chunk('', 'stop')], 'empty_output'],
    ['an error', [chunk('a'), { error: { message: 'boom' } }], 'stream_error'],
    ['given up', [chunk('a', 'abort')], 'stream_error'],
    ['no JSON', ['nonsense'], 'bad_response'],
  ])('fails: %s', (_name, events, label) => {
    expect(readEvents(reader(), events)).toMatchObject({ state: 'failed', failure: { label } })
  })

  test.each([null, 5, [], {}, { choices: 5 }, { choices: [null] }])('no event breaks it: %j', (event) => {
    expect(() => readEvents(reader(), [JSON.stringify(event)])).not.toThrow()
  })
})
