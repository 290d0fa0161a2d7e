import { describe, expect, test } from 'vitest'
import { bodyOf, chat, chunksOf, simulate, streamed, USER, WEATHER_TOOL } from './client.fixture.ts'

describe('an answer that is not streamed', () => {
  test('has text of the length asked for and its usage', async () => {
    const { status, text } = await chat(await simulate(), { max_tokens: 12 })
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({
      id: expect.stringMatching(/^chatcmpl-[\da-f]{24}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'm',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: expect.stringMatching(/^.{48}$/) },
          logprobs: null,
          finish_reason: 'length',
        },
      ],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 12,
        total_tokens: 22,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    })
  })

  test('has tool calls with valid arguments', async () => {
    const answer = await chat(await simulate(), { tools: [WEATHER_TOOL], tool_choice: 'required', max_tokens: 100 })
    const [choice] = bodyOf(answer).choices
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: null, tool_calls: [{ function: { name: 'get_weather' } }] },
    })
    expect(JSON.parse(choice.message.tool_calls?.[0]?.function.arguments ?? '')).toEqual({ city: expect.any(String) })
  })
})

describe('a streamed answer', () => {
  test('is the answer that is not streamed, token by token', async () => {
    const simulator = await simulate()
    const whole = bodyOf(await chat(simulator, { max_tokens: 20 }))
    const { headers, text } = await chat(simulator, { max_tokens: 20, stream: true, stream_options: { include_usage: true } })
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    const answer = streamed(text)
    expect(answer).toMatchObject({
      content: whole.choices[0].message.content,
      finishReasons: ['length'],
      outputChunks: 20,
      usage: { completion_tokens: 20, prompt_tokens: whole.usage.prompt_tokens },
      done: true,
    })
  })

  test('begins with the role and no output, ends with finish reason, usage and [DONE], under one id', async () => {
    const { text } = await chat(await simulate(), { max_tokens: 2, stream: true, stream_options: { include_usage: true } })
    const { chunks } = chunksOf(text)
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1)
    expect(chunks.map((chunk) => chunk.choices?.[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { content: expect.any(String) },
      { content: expect.any(String) },
      {},
      undefined,
    ])
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('has no usage unless asked', async () => {
    const { text } = await chat(await simulate(), { stream: true })
    expect(streamed(text)).toMatchObject({ usage: undefined, done: true })
  })

  test('has several tokens in a chunk if so configured', async () => {
    const simulator = await simulate({ tokensPerChunk: 5 })
    const one = streamed((await chat(simulator, { max_tokens: 12, stream: true })).text)
    expect([one.outputChunks, one.content.length]).toEqual([3, 48])
  })

  test('tells a tool call by id and name first, its arguments after', async () => {
    const body = {
      tools: [WEATHER_TOOL],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
      max_tokens: 99,
      stream: true,
    }
    const { text } = await chat(await simulate(), body)
    const deltas = chunksOf(text).chunks.flatMap((chunk) => chunk.choices?.[0]?.delta.tool_calls ?? [])
    expect(deltas[0]).toEqual({
      index: 0,
      id: expect.stringMatching(/^call_/),
      type: 'function',
      function: { name: 'get_weather', arguments: '' },
    })
    for (const delta of deltas.slice(1)) expect(delta).toEqual({ index: 0, function: { arguments: expect.any(String) } })
    const answer = streamed(text)
    expect(JSON.parse(answer.calls[0]?.arguments ?? '')).toEqual({ city: expect.any(String) })
    expect([answer.finishReasons, answer.content]).toEqual([['tool_calls'], ''])
  })

  test('keeps parallel tool calls apart, also with several tokens in a chunk', async () => {
    for (const tokensPerChunk of [1, 3, 100]) {
      const simulator = await simulate({ toolCallsPerAnswer: 3, tokensPerChunk, reasoning: { tokens: 4 } })
      const body = {
        tools: [WEATHER_TOOL],
        tool_choice: 'required',
        max_tokens: 300,
        stream: true,
        stream_options: { include_usage: true },
      }
      const { calls, usage, reasoning } = streamed((await chat(simulator, body)).text)
      expect(new Set(calls.map((call) => call.id)).size).toBe(3)
      for (const call of calls) expect(JSON.parse(call.arguments)).toEqual({ city: expect.any(String) })
      expect(reasoning).toHaveLength(16)
      const tokens = calls.reduce((sum, call) => sum + 1 + Math.ceil(call.arguments.length / 4), 4)
      expect(usage?.completion_tokens).toBe(tokens)
    }
  })

  test.each(['reasoning', 'reasoning_content'] as const)('tells reasoning under %s', async (field) => {
    const simulator = await simulate({ reasoning: { tokens: 5, field } })
    const { text } = await chat(simulator, { stream: true, stream_options: { include_usage: true } })
    expect(chunksOf(text).chunks[1]?.choices?.[0]?.delta).toEqual({ [field]: expect.any(String) })
    expect(streamed(text).usage).toMatchObject({ completion_tokens: 8, completion_tokens_details: { reasoning_tokens: 5 } })
    const whole = bodyOf(await chat(simulator))
    expect(whole.choices[0].message).toHaveProperty(field, streamed(text).reasoning)
  })
})

describe('determinism', () => {
  test('two simulators with one seed answer alike, another seed differently', async () => {
    const ask = async (seed: number) => bodyOf(await chat(await simulate({ seed }))).choices[0].message.content
    expect(await ask(5)).toBe(await ask(5))
    expect(await ask(5)).not.toBe(await ask(6))
  })

  test('an answer does not depend on what was asked before', async () => {
    const simulator = await simulate()
    const first = bodyOf(await chat(simulator)).choices[0].message.content
    await chat(simulator, { messages: [{ role: 'user', content: 'Something else' }] })
    expect(bodyOf(await chat(simulator)).choices[0].message.content).toBe(first)
  })

  test('ids of calls are never given twice, even to equal requests', async () => {
    const simulator = await simulate({ toolCallsPerAnswer: 2 })
    const ids = new Set<string>()
    for (let i = 0; i < 20; i++) {
      const answer = bodyOf(await chat(simulator, { tools: [WEATHER_TOOL], tool_choice: 'required', max_tokens: 200 }))
      for (const call of answer.choices[0].message.tool_calls ?? []) ids.add(call.id)
    }
    expect(ids.size).toBe(40)
  })
})

describe('the prefix cache', () => {
  const system = { role: 'system', content: 'You are a careful assistant. '.repeat(20) }

  test('knows a conversation that is taken up again, the answer included', async () => {
    const simulator = await simulate()
    const first = bodyOf(await chat(simulator, { messages: [system, USER], max_tokens: 100 }))
    const followUp = { messages: [system, USER, first.choices[0].message, USER] }
    const second = bodyOf(await chat(simulator, followUp))
    expect(first.usage.prompt_tokens_details.cached_tokens).toBe(0)
    const known = first.usage.total_tokens
    expect(second.usage.prompt_tokens_details.cached_tokens).toBe(Math.floor((known + 1) / 16) * 16)
  })

  test('knows tool calls it wrote, though their ids differ from one client to the next', async () => {
    const simulator = await simulate()
    const tools = { tools: [WEATHER_TOOL], max_tokens: 100 }
    const first = bodyOf(await chat(simulator, { ...tools, messages: [system, USER], tool_choice: 'required' }))
    const [call] = first.choices[0].message.tool_calls ?? []
    const assistant = { role: 'assistant', content: null, tool_calls: [{ ...call, id: 'mine' }] }
    const messages = [system, USER, assistant, { role: 'tool', tool_call_id: 'mine', content: 'Sunny' }]
    const second = bodyOf(await chat(simulator, { ...tools, messages }))
    expect(second.usage.prompt_tokens_details.cached_tokens).toBe(Math.floor((first.usage.total_tokens + 1) / 16) * 16)
  })

  test('does not know what has a marker of its own at its head', async () => {
    const simulator = await simulate()
    const marked = (marker: string) => ({
      messages: [{ ...system, content: `${marker} ${system.content}` }, USER],
      tools: [WEATHER_TOOL],
    })
    await chat(simulator, marked('[1]'))
    expect(bodyOf(await chat(simulator, marked('[2]'))).usage.prompt_tokens_details.cached_tokens).toBe(0)
    expect(bodyOf(await chat(simulator, marked('[1]'))).usage.prompt_tokens_details.cached_tokens).toBeGreaterThan(100)
  })

  test('can be switched off', async () => {
    const simulator = await simulate({ cacheTokens: 0 })
    await chat(simulator, { messages: [system] })
    expect(bodyOf(await chat(simulator, { messages: [system] })).usage.prompt_tokens_details.cached_tokens).toBe(0)
  })
})
