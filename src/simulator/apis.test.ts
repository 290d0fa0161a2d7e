import { describe, expect, test } from 'vitest'
import { simulate, WEATHER_TOOL } from './client.fixture.ts'
import type { SimulatorOptions } from './options.ts'

const WEATHER = { name: 'get_weather', schema: WEATHER_TOOL.function.parameters }
const anthropicTool = { name: WEATHER.name, input_schema: WEATHER.schema }
const responsesTool = { type: 'function', name: WEATHER.name, parameters: WEATHER.schema }

async function post(path: string, body: unknown, options: SimulatorOptions = {}, headers: Record<string, string> = {}) {
  const simulator = await simulate(options)
  const response = await fetch(simulator.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text(), simulator }
}

/** Data of the events, each with the name it came by. */
function eventsOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const [first = '', second] = event.split('\n')
      const data = (second ?? first).replace(/^data: /, '')
      const parsed = data === '[DONE]' ? { type: '[DONE]' } : JSON.parse(data)
      if (second !== undefined) expect(first).toBe(`event: ${parsed.type}`)
      return parsed
    })
}

describe('Anthropic messages', () => {
  const body = { model: 'm', max_tokens: 6, messages: [{ role: 'user', content: 'How is the weather in Graz?' }] }
  const messages = (more: object, options?: SimulatorOptions) => post('/v1/messages', { ...body, ...more }, options)

  test('whole', async () => {
    const { text } = await messages({ system: 'Be brief.' }, { reasoning: { tokens: 2 } })
    const answer = JSON.parse(text)
    expect(answer).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'm',
      stop_reason: 'max_tokens',
      content: [{ type: 'thinking' }, { type: 'text' }],
      usage: { output_tokens: 6, cache_read_input_tokens: 0 },
    })
    expect(answer.usage.input_tokens).toBeGreaterThan(6)
  })

  test('streamed: blocks begin and end in turn, the usage in two parts', async () => {
    const choice = { tools: [anthropicTool], tool_choice: { type: 'any' }, max_tokens: 200, stream: true }
    const events = eventsOf((await messages(choice, { reasoning: { tokens: 1 } })).text)
    const types = events.map(({ type }) => type).filter((type, i, all) => type !== 'content_block_delta' || all[i - 1] !== type)
    const block = ['content_block_start', 'content_block_delta', 'content_block_stop']
    expect(types).toEqual(['message_start', 'ping', ...block, ...block, 'message_delta', 'message_stop'])
    expect(events[0]).toMatchObject({ message: { content: [], usage: { input_tokens: expect.any(Number) } } })
    const args = events.flatMap((event) => (event.delta as { partial_json?: string } | undefined)?.partial_json ?? []).join('')
    expect(JSON.parse(args)).toEqual({ city: expect.any(String) })
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: expect.any(Number) } })
  })

  test('the tool asked for, its arguments an object', async () => {
    const { text } = await messages({
      tools: [{ name: 'other', input_schema: { type: 'object' } }, anthropicTool],
      tool_choice: { type: 'tool', name: 'get_weather' },
      max_tokens: 200,
    })
    expect(JSON.parse(text)).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', name: 'get_weather', input: { city: expect.any(String) } }],
    })
  })

  const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} })
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })
  const said = { type: 'text', text: 'a' }
  const turns = (...contents: unknown[][]) => ({
    messages: contents.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content })),
  })

  test('takes several results in one message', async () => {
    expect((await messages(turns([said], [said, use('a'), use('b')], [result('b'), result('a'), said]))).status).toBe(200)
  })

  test.each<[name: string, more: object, where: string]>([
    ['no limit', { max_tokens: undefined }, 'max_tokens'],
    ['an empty text', turns([{ type: 'text', text: ' ' }]), 'messages[0].content[0].text'],
    ['a beginning that is not the user’s', { messages: [{ role: 'assistant', content: 'a' }] }, 'messages[0].role'],
    ['a role of another API', { messages: [{ role: 'system', content: 'a' }] }, 'messages[0].role'],
    ['a use without a result', turns([said], [use('a')], [said]), "'a' has no tool_result"],
    ['a use at the end', turns([said], [use('a')]), "'a' has no tool_result"],
    ['a result without a use', turns([result('a')]), 'tool_use_id'],
    ['a result behind a text', turns([said], [use('a')], [said, result('a')]), 'results must come first'],
    ['arguments that are a text', turns([said], [{ ...use('a'), input: '{}' }], [result('a')]), 'input'],
    ['an id of another form', turns([said], [use('a.b')], [result('a.b')]), 'messages[1].content[0].id'],
    ['a temperature beyond 1', { temperature: 1.5 }, 'temperature'],
    ['a schema without a type', { tools: [{ name: 'f', input_schema: {} }] }, 'input_schema.type'],
    ['an unknown tool', { tools: [anthropicTool], tool_choice: { type: 'tool', name: 'x' } }, 'tool_choice'],
  ])('refuses %s', async (_name, more, where) => {
    const { status, text } = await messages(more)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining(where) },
    })
  })

  test('the key of either header', async () => {
    const options = { apiKey: 'secret' }
    expect((await post('/v1/messages', body, options, { 'x-api-key': 'secret' })).status).toBe(200)
    const refused = await post('/v1/messages', body, options, { 'x-api-key': 'wrong' })
    expect([refused.status, JSON.parse(refused.text).error.type]).toEqual([401, 'authentication_error'])
  })

  test('faults in the API’s own words', async () => {
    const broken = { do: { kind: 'stream-error', afterChunks: 1, message: 'boom' } } as const
    expect(eventsOf((await messages({ stream: true }, { faults: [broken] })).text).at(-1)).toEqual({
      type: 'error',
      error: { type: 'api_error', message: 'boom' },
    })
    const whole = await messages({}, { faults: [broken] })
    expect([whole.status, JSON.parse(whole.text).type]).toEqual([500, 'error'])
    const parts = ['usage', 'finish_reason', 'done'] as const
    const omitted = await messages({ stream: true }, { faults: [{ do: { kind: 'omit', parts } }] })
    expect(omitted.text).not.toMatch(/usage|message_delta|message_stop/)
  })
})

describe('OpenAI responses', () => {
  const body = { model: 'm', max_output_tokens: 6, input: 'How is the weather in Graz?' }
  const responses = (more: object, options?: SimulatorOptions) => post('/v1/responses', { ...body, ...more }, options)

  test('whole', async () => {
    const { text } = await responses({ instructions: 'Be brief.' }, { reasoning: { tokens: 2 } })
    expect(JSON.parse(text)).toMatchObject({
      object: 'response',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ type: 'reasoning' }, { type: 'message', content: [{ type: 'output_text' }] }],
      usage: { output_tokens: 6, output_tokens_details: { reasoning_tokens: 2 } },
    })
  })

  test('streamed: what the deltas say is what the end says', async () => {
    const events = eventsOf(
      (await responses({ stream: true, tools: [responsesTool], tool_choice: 'required', max_output_tokens: 200 })).text,
    )
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, i) => i))
    const types = events.map(({ type }) => type)
    expect(types.slice(0, 3)).toEqual(['response.created', 'response.in_progress', 'response.output_item.added'])
    const args = events.filter(({ type }) => type === 'response.function_call_arguments.delta').map(({ delta }) => delta)
    const call = {
      type: 'function_call',
      name: 'get_weather',
      arguments: args.join(''),
      call_id: expect.stringMatching(/^call_/),
    }
    expect(events.at(-2)).toMatchObject({ type: 'response.output_item.done', item: call })
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed', output: [call] } })
    expect(JSON.parse(args.join(''))).toEqual({ city: expect.any(String) })
  })

  test('several items: text parts open and close', async () => {
    const events = eventsOf((await responses({ stream: true }, { reasoning: { tokens: 1 } })).text)
    const told = events.map(({ type }) => String(type).replace('response.', ''))
    expect(told.filter((type, i) => type !== told[i - 1])).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_text.delta',
      'reasoning_text.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'incomplete',
    ])
  })

  const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }
  const output = { type: 'function_call_output', call_id: 'a', output: 'r' }

  test('takes a history with calls', async () => {
    const input = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'input_text', text: 'a' }] },
      { role: 'assistant', content: 'b' },
      call,
      { ...call, call_id: 'b' },
      output,
      { ...output, call_id: 'b' },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'c' },
    ]
    expect((await responses({ input })).text).toContain('"object":"response"')
  })

  test.each<[name: string, more: object, where: string]>([
    ['no input', { input: undefined }, 'input'],
    ['a call without its output', { input: [call, { role: 'user', content: 'a' }] }, 'no result'],
    ['an output without a call', { input: [output] }, 'tool_call_id'],
    ['state kept by the server', { previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['parts of another API', { input: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }] }, 'input[0].content[0].type'],
    ['an unknown item', { input: [{ type: 'x' }] }, 'input[0].type'],
    ['tools of another API', { tools: [WEATHER_TOOL] }, 'tools[0].name'],
    ['an unknown tool', { tools: [responsesTool], tool_choice: { type: 'function', name: 'x' } }, 'tool_choice'],
  ])('refuses %s', async (_name, more, where) => {
    const { status, text } = await responses(more)
    expect(status).toBe(400)
    expect(JSON.parse(text).error.message).toContain(where)
  })
})

describe('OpenAI completions', () => {
  const body = { model: 'm', max_tokens: 6, prompt: 'How is the weather' }
  const completions = (more: object, options?: SimulatorOptions) => post('/v1/completions', { ...body, ...more }, options)

  test('whole and streamed say the same', async () => {
    const whole = JSON.parse((await completions({})).text)
    expect(whole).toMatchObject({
      object: 'text_completion',
      choices: [{ finish_reason: 'length' }],
      usage: { prompt_tokens: 5, completion_tokens: 6 },
    })
    const events = eventsOf((await completions({ stream: true, stream_options: { include_usage: true } })).text)
    const choices = events.flatMap((event) => (event.choices as { text: string; finish_reason: string | null }[]) ?? [])
    expect(choices.map(({ text }) => text).join('')).toBe(whole.choices[0].text)
    expect(choices.at(-1)?.finish_reason).toBe('length')
    expect(events.at(-2)).toMatchObject({ choices: [], usage: whole.usage })
    expect(events.at(-1)).toEqual({ type: '[DONE]' })
  })

  test('meets a schema', async () => {
    const schema = { anyOf: [{ type: 'object', properties: { a: { const: 1 } }, required: ['a'], additionalProperties: false }] }
    const { text } = await completions({
      max_tokens: 100,
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    })
    expect(JSON.parse(JSON.parse(text).choices[0].text)).toEqual({ a: 1 })
  })

  test.each<[name: string, more: object]>([
    ['no prompt', { prompt: undefined }],
    ['an empty prompt', { prompt: '' }],
    ['several prompts', { prompt: ['a', 'b'] }],
    ['several choices', { n: 2 }],
  ])('refuses %s', async (_name, more) => {
    expect((await completions(more)).status).toBe(400)
  })
})
