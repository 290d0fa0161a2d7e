import { describe, expect, test } from 'vitest'
import { manualClock } from '../base/manual-clock.fixture.ts'
import { bodyOf, chat, chunksOf, simulate, startChat, streamed, USER, until, WEATHER_TOOL } from './client.fixture.ts'
import type { FaultAction, FaultCondition } from './fault-options.ts'

const stream = { stream: true, stream_options: { include_usage: true } }

/** A simulator in which this happens to every request. */
function simulateFault(action: FaultAction) {
  return simulate({ faults: [{ do: action }] })
}

/** Reads a response that breaks off: what came before, and that it broke. */
async function readBroken(response: Response): Promise<{ text: string; error: unknown }> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes as Uint8Array, { stream: true })
  } catch (error) {
    return { text, error }
  }
  return { text, error: undefined }
}

describe('status', () => {
  test('is answered with an OpenAI-shaped error', async () => {
    const answer = await chat(await simulateFault({ kind: 'status', status: 503 }))
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      503,
      { error: { message: expect.any(String), type: 'server_error', param: null, code: null } },
    ])
  })

  test('can say when to come back', async () => {
    const answer = await chat(
      await simulateFault({ kind: 'status', status: 429, retryAfter: 7, headers: { 'x-ratelimit': 'yes' } }),
    )
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('x-ratelimit')]).toEqual([429, '7', 'yes'])
  })

  test.each([
    ['<html>Bad gateway</html>', '<html>Bad gateway</html>', 'text/html'],
    ['overloaded', 'overloaded', 'text/plain'],
    ['', '', null],
    [{ detail: 'no' }, '{"detail":"no"}', 'application/json'],
  ])('has the body %j', async (body, text, type) => {
    const answer = await chat(await simulateFault({ kind: 'status', status: 502, body }))
    expect([answer.text, answer.headers.get('content-type')]).toEqual([text, type])
  })
})

describe('stall', () => {
  test('before the response: nothing comes, and no place is taken', async () => {
    const simulator = await simulateFault({ kind: 'stall', after: 'accept' })
    const leave = new AbortController()
    const answer = startChat(simulator, stream, { signal: leave.signal })
    await until(() => expect(simulator.requests[0]?.fault).toBe('stall'))
    expect(simulator.load).toEqual({ running: 0, queued: 0 })
    leave.abort()
    await expect(answer).rejects.toThrow()
    await until(() => expect(simulator.requests[0]).toMatchObject({ outcome: 'disconnected', status: null }))
  })

  test('after the headers', async () => {
    const simulator = await simulateFault({ kind: 'stall', after: 'headers' })
    const leave = new AbortController()
    const response = await startChat(simulator, stream, { signal: leave.signal })
    expect(response.status).toBe(200)
    leave.abort()
    await until(() => expect(simulator.requests[0]).toMatchObject({ outcome: 'disconnected', status: 200, completionTokens: 0 }))
  })

  test.each([stream, {}])('after some chunks, for a time, and then goes on: %j', async (how) => {
    const clock = manualClock()
    const simulator = await simulate({
      clock,
      speed: 1,
      decodeStepMs: 1,
      faults: [{ do: { kind: 'stall', after: { chunks: 3 }, forMs: 5_000 } }],
    })
    const answer = chat(simulator, how)
    await until(() => expect(simulator.load.running).toBe(1))
    clock.advance(100)
    await until(() => expect(simulator.requests[0]?.status ?? simulator.load.running).toBe(0))
    expect([simulator.requests[0]?.outcome, clock.pending]).toEqual(['pending', 1])
    clock.advance(5_000)
    const { text } = await answer
    expect(text).toContain('"finish_reason":"length"')
    expect(simulator.requests[0]?.outcome).toBe('answered')
  })

  test('after some chunks, for ever: the client gets those and no more', async () => {
    const simulator = await simulateFault({ kind: 'stall', after: { chunks: 3 } })
    const response = await startChat(simulator, stream)
    const reader = response.body?.getReader()
    const decoder = new TextDecoder()
    let text = ''
    while (streamed(text).outputChunks < 3) text += decoder.decode((await reader?.read())?.value)
    expect(streamed(text).outputChunks).toBe(3)
    expect(simulator.requests[0]?.outcome).toBe('pending')
    const more = reader?.read()
    await simulator.close()
    await expect(more).rejects.toThrow()
  })
})

describe('cut', () => {
  test('by a clean end: chunks, then nothing, and no error on the wire', async () => {
    const simulator = await simulateFault({ kind: 'cut', afterChunks: 3 })
    const { text, error } = await readBroken(await startChat(simulator, stream))
    expect(error).toBeUndefined()
    expect(streamed(text)).toMatchObject({ outputChunks: 3, finishReasons: [], usage: undefined, done: false })
    expect(simulator.requests[0]?.outcome).toBe('broken')
  })

  test.each(['close', 'reset'] as const)('by a %s of the connection, after what came before has arrived', async (how) => {
    const simulator = await simulateFault({ kind: 'cut', afterChunks: 3, how })
    const { text, error } = await readBroken(await startChat(simulator, stream))
    expect(error).toBeInstanceOf(Error)
    // What lies in the socket when it is reset may be lost.
    if (how === 'close') expect(streamed(text).outputChunks).toBe(3)
    await until(() => expect(simulator.requests[0]?.outcome).toBe('broken'))
  })

  test('before the first chunk', async () => {
    const { text } = await readBroken(await startChat(await simulateFault({ kind: 'cut', afterChunks: 0 }), stream))
    expect(chunksOf(text).chunks).toHaveLength(1)
    expect(streamed(text).outputChunks).toBe(0)
  })

  test('at the end at the latest', async () => {
    const { text } = await readBroken(await startChat(await simulateFault({ kind: 'cut', afterChunks: 1_000 }), stream))
    expect(streamed(text)).toMatchObject({ outputChunks: 8, finishReasons: [], done: false })
  })

  test('leaves half of a body that is not streamed', async () => {
    const { text, error } = await readBroken(await startChat(await simulateFault({ kind: 'cut', afterChunks: 3 })))
    expect(error).toBeUndefined()
    expect(text).toMatch(/^\{"id"/)
    expect(() => JSON.parse(text)).toThrow()
  })

  test.each(['close', 'reset'] as const)('a body that is not streamed by %s', async (how) => {
    const simulator = await simulateFault({ kind: 'cut', afterChunks: 0, how })
    await expect(chat(simulator)).rejects.toThrow()
  })

  test('frees its place', async () => {
    const simulator = await simulateFault({ kind: 'cut', afterChunks: 1 })
    await readBroken(await startChat(simulator, { ...stream, max_tokens: 10_000 }))
    await until(() => expect(simulator.load).toEqual({ running: 0, queued: 0 }))
  })
})

test('stream-error puts an error into a stream, which then ends', async () => {
  const simulator = await simulateFault({ kind: 'stream-error', afterChunks: 2, message: 'Out of memory' })
  const answer = streamed((await chat(simulator, stream)).text)
  expect(answer).toMatchObject({ outputChunks: 2, errors: ['Out of memory'], finishReasons: [], done: true })
  const whole = await chat(simulator)
  expect([whole.status, JSON.parse(whole.text).error.message]).toEqual([500, 'Out of memory'])
})

test('garbage is put into the stream as it is', async () => {
  const simulator = await simulateFault({ kind: 'garbage', afterChunks: 2, data: 'data: {"chio\n\n: ping\n\n' })
  const { text } = await chat(simulator, stream)
  expect(text.indexOf('data: {"chio\n\n: ping\n\n')).toBe(text.split('\n\n').slice(0, 3).join('\n\n').length + 2)
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
})

test('malformed-arguments cuts the arguments of tool calls', async () => {
  const simulator = await simulateFault({ kind: 'malformed-arguments' })
  const answer = streamed(
    (await chat(simulator, { ...stream, tools: [WEATHER_TOOL], tool_choice: 'required', max_tokens: 100 })).text,
  )
  expect(() => JSON.parse(answer.calls[0]?.arguments ?? '{}')).toThrow()
  expect(answer.finishReasons).toEqual(['tool_calls'])
})

test('slow-accept takes up the request later', async () => {
  const clock = manualClock()
  const simulator = await simulate({ clock, speed: 1, faults: [{ do: { kind: 'slow-accept', ms: 300 } }] })
  const answer = chat(simulator)
  await until(() => expect(clock.pending).toBe(1))
  clock.advance(299)
  expect(simulator.load.running).toBe(0)
  clock.advance(1)
  expect(simulator.load.running).toBe(1)
  clock.advance(1_000)
  expect((await answer).status).toBe(200)
})

test('empty answers without output', async () => {
  const simulator = await simulateFault({ kind: 'empty' })
  expect(streamed((await chat(simulator, stream)).text)).toMatchObject({
    content: '',
    calls: [],
    finishReasons: ['stop'],
    usage: { completion_tokens: 0 },
    done: true,
  })
  expect(bodyOf(await chat(simulator)).choices[0].message).toEqual({ role: 'assistant', content: '' })
})

test.each([
  [['usage'], { finishReasons: ['length'], usage: undefined, done: true }],
  [['finish_reason'], { finishReasons: [], usage: { completion_tokens: 8 }, done: true }],
  [['done'], { finishReasons: ['length'], done: false }],
  [['usage', 'finish_reason', 'done'], { finishReasons: [], usage: undefined, done: false }],
] as const)('omit leaves out %j', async (parts, expected) => {
  const simulator = await simulateFault({ kind: 'omit', parts })
  expect(streamed((await chat(simulator, stream)).text)).toMatchObject(expected)
})

describe('a fault befalls', () => {
  /** Which of the requests, told by their ordinals. */
  async function befallen(when: FaultCondition, requests: readonly Readonly<Record<string, unknown>>[]): Promise<number[]> {
    const simulator = await simulate({ faults: [{ when, do: { kind: 'status', status: 500 } }] })
    for (const request of requests) await chat(simulator, request)
    return simulator.requests.filter((request) => request.status === 500).map((request) => request.ordinal)
  }
  const ten = Array.from({ length: 10 }, () => ({}))

  test('every request without a condition', async () => {
    expect(await befallen({}, ten)).toHaveLength(10)
  })

  test('the nth', async () => {
    expect(await befallen({ nth: 4 }, ten)).toEqual([4])
    expect(await befallen({ nth: [1, 9] }, ten)).toEqual([1, 9])
  })

  test('every so many', async () => {
    expect(await befallen({ every: 3 }, ten)).toEqual([3, 6, 9])
  })

  test('by chance, as the seed has it', async () => {
    const twenty = Array.from({ length: 20 }, () => ({}))
    const some = await befallen({ probability: 0.3 }, twenty)
    expect(Math.abs(some.length - 6)).toBeLessThan(6)
    expect(await befallen({ probability: 0.3 }, twenty)).toEqual(some)
    expect(await befallen({ probability: 0 }, ten)).toEqual([])
    expect(await befallen({ probability: 1 }, ten)).toHaveLength(10)
  })

  test('a model, a text, or what a function says', async () => {
    expect(await befallen({ model: 'b' }, [{ model: 'a' }, { model: 'b' }])).toEqual([2])
    expect(
      await befallen({ textIncludes: 'Linz' }, [{}, { messages: [USER, { role: 'user', content: 'And in Linz?' }] }]),
    ).toEqual([2])
    expect(await befallen({ match: (body) => body.temperature === 0.5 }, [{ temperature: 0.5 }, {}])).toEqual([1])
  })

  test('the nth of those it is meant for', async () => {
    const requests = ['a', 'b', 'a', 'b', 'b'].map((model) => ({ model }))
    expect(await befallen({ model: 'b', nth: 2 }, requests)).toEqual([4])
  })

  test('requests that are fine: a refused one does not count', async () => {
    expect(await befallen({ nth: 1 }, [{ messages: [] }, {}])).toEqual([2])
  })

  test('the first of several whose condition holds', async () => {
    const simulator = await simulate({
      faults: [
        { when: { nth: 1 }, do: { kind: 'status', status: 501 } },
        { when: { nth: [1, 2] }, do: { kind: 'status', status: 502 } },
      ],
    })
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await chat(simulator)).status)
    expect(statuses).toEqual([501, 502, 200])
  })
})
