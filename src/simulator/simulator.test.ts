import { createServer } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { manualClock } from '../base/manual-clock.fixture.ts'
import { chat, simulate, startChat, streamed, USER, until } from './client.fixture.ts'
import { startSimulator } from './simulator.ts'

test('listens on this machine alone unless told otherwise', async () => {
  const simulator = await simulate()
  expect(simulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
})

test.each([
  ['localhost', /^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/],
  ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
])('has a URL to reach it at when it listens on %s', async (host, url) => {
  const simulator = await simulate({ host })
  expect(simulator.url).toMatch(url)
  expect((await chat(simulator)).status).toBe(200)
})

test('says so when the port is in use', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const address = taken.address()
  const port = typeof address === 'object' ? address?.port : undefined
  await expect(startSimulator({ ...(port === undefined ? {} : { port }) })).rejects.toMatchObject({
    code: 'SIMULATOR',
    message: `The simulator cannot listen on 127.0.0.1 port ${port}: the port is in use. Choose another, or 0 for a free one.`,
  })
})

test('says so when there is no such address', async () => {
  await expect(startSimulator({ host: '192.0.2.1' })).rejects.toMatchObject({
    code: 'SIMULATOR',
    message: expect.stringContaining('192.0.2.1'),
  })
})

test.each([
  [{ prot: 1 }, 'unknown option `prot`. Did you mean `port`?'],
  [{ speed: 0 }, '`speed` is 0, expected a number above 0; Infinity answers at once.'],
  [{ maxBatch: 0 }, '`maxBatch` is 0, expected a number ≥ 1.'],
  [{ outputTokens: { min: 5, max: 1 } }, '`outputTokens`: `min` must not be greater than `max`.'],
  [{ faults: [{ when: { nht: 1 }, do: { kind: 'empty' } }] }, 'unknown option `faults[0].when.nht`. Did you mean `nth`?'],
  [{ faults: [{ do: { kind: 'cut', afterChunk: 1 } }] }, 'unknown option `faults[0].do.afterChunk`. Did you mean `afterChunks`?'],
  [
    { faults: [{ do: { kind: 'stall', after: 'x' } }] },
    "`faults[0].do.after` is 'x', expected 'accept', 'headers' or { chunks: n }.",
  ],
])('refuses the options %j', async (options, message) => {
  await expect(startSimulator(options as object)).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    message: expect.stringContaining(message),
  })
})

describe('close', () => {
  test('ends everything at once: answers under way, connections that wait, idle and silent ones', async () => {
    const simulator = await simulate({ speed: 0.001 })
    const streaming = await startChat(simulator, { stream: true, messages: [{ role: 'user', content: 'x' }] }, {}).catch(
      () => undefined,
    )
    const waiting = startChat(simulator, { stream: true }).catch((error: unknown) => error)
    const silent = connect(Number(new URL(simulator.url).port), '127.0.0.1')
    const silentClosed = new Promise((resolve) => silent.once('close', resolve))
    await until(() => expect(simulator.received).toBe(2))
    await simulator.close()
    await expect(waiting).resolves.toBeInstanceOf(Error)
    await silentClosed
    await expect(streaming?.text() ?? Promise.reject(new Error('closed'))).rejects.toThrow()
    await expect(fetch(simulator.url)).rejects.toThrow()
    expect(simulator.requests.every((request) => request.outcome === 'disconnected')).toBe(true)
  })

  test('can be called again', async () => {
    const simulator = await simulate()
    await Promise.all([simulator.close(), simulator.close()])
    await simulator.close()
  })

  test('leaves no timer', async () => {
    const clock = manualClock()
    const simulator = await simulate({ clock, speed: 1, faults: [{ when: { nth: 2 }, do: { kind: 'slow-accept', ms: 1e6 } }] })
    const answers = [chat(simulator), chat(simulator)].map((answer) => answer.catch(() => undefined))
    await until(() => expect(clock.pending).toBe(2))
    await simulator.close()
    await Promise.all(answers)
    expect(clock.pending).toBe(0)
  })
})

describe('a client that goes away', () => {
  test('while its answer is written gives its place to the next at once', async () => {
    const clock = manualClock()
    const simulator = await simulate({ clock, speed: 1, maxBatch: 1 })
    const leave = new AbortController()
    const first = chat(simulator, { stream: true, max_tokens: 1_000 }, { signal: leave.signal }).catch((error: unknown) => error)
    await until(() => expect(simulator.load).toEqual({ running: 1, queued: 0 }))
    const second = chat(simulator, { stream: true })
    await until(() => expect(simulator.load).toEqual({ running: 1, queued: 1 }))
    clock.advance(100)
    leave.abort()
    await first
    await until(() => expect(simulator.load).toEqual({ running: 1, queued: 0 }))
    clock.advance(1_000)
    expect(streamed((await second).text).done).toBe(true)
    expect(simulator.requests).toMatchObject([{ outcome: 'disconnected', status: 200 }, { outcome: 'answered' }])
    expect(simulator.requests[0]?.completionTokens).toBeLessThan(30)
    expect([simulator.load, clock.pending]).toEqual([{ running: 0, queued: 0 }, 0])
  })

  test('while it waits leaves the queue', async () => {
    const clock = manualClock()
    const simulator = await simulate({ clock, speed: 1, maxBatch: 1 })
    const leave = new AbortController()
    const first = chat(simulator)
    const second = chat(simulator, {}, { signal: leave.signal }).catch((error: unknown) => error)
    await until(() => expect(simulator.load).toEqual({ running: 1, queued: 1 }))
    leave.abort()
    await second
    await until(() => expect(simulator.load).toEqual({ running: 1, queued: 0 }))
    clock.advance(1_000)
    expect((await first).status).toBe(200)
  })
})

test('a client that goes away with several requests on one connection gives up all of them', async () => {
  const clock = manualClock()
  const simulator = await simulate({ clock, speed: 1 })
  const body = JSON.stringify({ model: 'm', messages: [USER] })
  const request = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const socket = connect(Number(new URL(simulator.url).port), '127.0.0.1', () => socket.write(request.repeat(3)))
  await until(() => expect(simulator.load.running).toBe(3))
  socket.destroy()
  await until(() => expect(simulator.load.running).toBe(0))
  expect(simulator.requests.map((each) => each.outcome)).toEqual(['disconnected', 'disconnected', 'disconnected'])
})

describe('time', () => {
  test('tokens come when the model says, whatever real time does', async () => {
    const clock = manualClock()
    const simulator = await simulate({ clock, speed: 1, decodeStepMs: 10, prefillTokensPerSecond: 100 })
    const answer = chat(simulator, { max_tokens: 4 })
    await until(() => expect(simulator.load.running).toBe(1))
    clock.advance(1_000)
    await answer
    const [request] = simulator.requests
    // 10 tokens of prompt, then three steps.
    expect([request?.receivedMs, request?.firstTokenMs, request?.endedMs]).toEqual([0, 100, 1_000])
  })

  test('goes faster at a higher speed', async () => {
    const clock = manualClock()
    const simulator = await simulate({ clock, speed: 10, prefillTokensPerSecond: 100 })
    const answer = chat(simulator, { max_tokens: 4 })
    await until(() => expect(simulator.load.running).toBe(1))
    clock.advance(1_000)
    await answer
    expect(simulator.requests[0]?.firstTokenMs).toBe(10)
  })

  test('there is one timer, however many requests run', async () => {
    const clock = manualClock()
    const simulator = await simulate({ clock, speed: 1 })
    const answers = Array.from({ length: 20 }, () => chat(simulator))
    await until(() => expect(simulator.load.running).toBe(20))
    expect(clock.pending).toBe(1)
    clock.advance(5_000)
    await Promise.all(answers)
    expect(clock.pending).toBe(0)
  })
})

describe('the record of requests', () => {
  test('tells what came and what became of it', async () => {
    const simulator = await simulate()
    await chat(
      simulator,
      { temperature: 0.5 },
      { headers: { 'x-session': 's1', authorization: 'Bearer sk-secret', cookie: 'a=b' } },
    )
    const [request] = simulator.requests
    expect(request).toMatchObject({
      ordinal: 1,
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'x-session': 's1', 'content-type': 'application/json' },
      body: { model: 'm', messages: [USER], temperature: 0.5 },
      outcome: 'answered',
      status: 200,
      fault: null,
      promptTokens: 10,
      cachedTokens: 0,
      completionTokens: 8,
    })
    expect(request?.headers).not.toHaveProperty('authorization')
    expect(request?.headers).not.toHaveProperty('cookie')
  })

  test('keeps the latest', async () => {
    const simulator = await simulate({ recordRequests: 3 })
    for (let i = 0; i < 10; i++) await chat(simulator)
    expect(simulator.requests.map((request) => request.ordinal)).toEqual([8, 9, 10])
    expect(simulator.received).toBe(10)
  })

  test('keeps as many bytes of bodies as allowed', async () => {
    const simulator = await simulate({ recordBodyBytes: 500 })
    for (let i = 0; i < 10; i++) await chat(simulator)
    const withBody = simulator.requests.filter((request) => request.body !== undefined).map((request) => request.ordinal)
    expect(withBody.length).toBeGreaterThan(1)
    expect(withBody.length).toBeLessThan(10)
    expect(withBody.at(-1)).toBe(10)
  })

  test('can be switched off', async () => {
    const simulator = await simulate({ recordRequests: 0 })
    await chat(simulator)
    expect([simulator.requests, simulator.received]).toEqual([[], 1])
  })
})
