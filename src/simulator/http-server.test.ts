import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { chat, simulate, startChat, USER, until } from './client.fixture.ts'
import type { Simulator } from './simulator.ts'

async function get(simulator: Simulator, path: string, init: RequestInit = {}) {
  const response = await fetch(`${simulator.url}${path}`, init)
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
  }
}

/** Sends bytes as they are; resolves with everything that came when the server closes. */
function sendRaw(simulator: Simulator, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(simulator.url).port), '127.0.0.1', () => socket.end(bytes))
    let text = ''
    socket.on('data', (data) => (text += data.toString()))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

test('lists its models', async () => {
  const any = await get(await simulate(), '/v1/models')
  expect([any.status, any.body]).toMatchObject([200, { object: 'list', data: [{ id: 'simulator', object: 'model' }] }])
  const named = await get(await simulate({ models: ['a', 'b'] }), '/v1/models')
  expect(named.body).toMatchObject({ data: [{ id: 'a' }, { id: 'b' }] })
})

test('is healthy', async () => {
  expect(await get(await simulate({ apiKey: 'k' }), '/health')).toMatchObject({ status: 200 })
})

test('publishes its metrics, without asking for a key', async () => {
  const response = await fetch(`${(await simulate({ apiKey: 'k', models: ['m'] })).url}/metrics`)
  expect(response.headers.get('content-type')).toContain('text/plain')
  expect(await response.text()).toContain('\nvllm:num_requests_waiting{engine="0",model_name="m"} 0\n')
})

test('serves only the models it has', async () => {
  const simulator = await simulate({ models: ['a', 'b'] })
  expect((await chat(simulator, { model: 'b' })).status).toBe(200)
  const refused = await chat(simulator, { model: 'c' })
  expect([refused.status, JSON.parse(refused.text).error]).toMatchObject([404, { code: 'model_not_found', param: 'model' }])
  expect(refused.text).toContain('a, b')
})

describe('refuses', () => {
  test.each(['/', '/v1', '/chat/completions', '/v1/chat/completions/', '/v1/embeddings', '//', '/%', '/v1/models/x'])(
    'the path %s',
    async (path) => {
      const { status, body } = await get(await simulate(), path)
      expect([status, body]).toMatchObject([404, { error: { code: 'not_found', type: 'invalid_request_error' } }])
    },
  )

  test('another method', async () => {
    const simulator = await simulate()
    const wrong = await get(simulator, '/v1/chat/completions')
    expect([wrong.status, wrong.headers.get('allow'), wrong.body]).toMatchObject([
      405,
      'POST',
      { error: { code: 'method_not_allowed' } },
    ])
    expect((await get(simulator, '/v1/models', { method: 'DELETE' })).status).toBe(405)
  })

  test('a request without the right key, and never tells the key', async () => {
    const simulator = await simulate({ apiKey: 'sk-right' })
    const none = await chat(simulator)
    const wrong = await chat(simulator, {}, { headers: { authorization: 'Bearer sk-wrong' } })
    const right = await chat(simulator, {}, { headers: { authorization: 'Bearer sk-right' } })
    expect([none.status, wrong.status, right.status]).toEqual([401, 401, 200])
    expect(JSON.parse(wrong.text).error.code).toBe('invalid_api_key')
    expect((await get(simulator, '/v1/models')).status).toBe(401)
    const kept = JSON.stringify([none, wrong, simulator.requests])
    expect(kept).not.toMatch(/sk-(right|wrong)/)
  })

  test.each([
    ['', 'invalid_json'],
    ['{"model":', 'invalid_json'],
    ['<html>', 'invalid_json'],
    ['null', 'invalid_type'],
    ['[]', 'invalid_type'],
    ['"text"', 'invalid_type'],
    ['{}', 'missing_required_parameter'],
  ])('the body %j', async (body, code) => {
    const answer = await chat(await simulate(), {}, { body })
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([400, code])
  })

  test('a body of another type or encoding', async () => {
    const simulator = await simulate()
    expect((await chat(simulator, {}, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    expect((await chat(simulator, {}, { headers: { 'content-encoding': 'gzip' } })).status).toBe(415)
    expect((await chat(simulator, {}, { headers: { 'content-type': 'application/json; charset=utf-8' } })).status).toBe(200)
  })

  test('a body that is too long, whether it says so before or not', async () => {
    const simulator = await simulate({ maxBodyBytes: 1_000 })
    const messages = [{ role: 'user', content: 'x'.repeat(2_000) }]
    const announced = await chat(simulator, { messages })
    expect([announced.status, JSON.parse(announced.text).error.message]).toEqual([413, expect.stringContaining('1000 bytes')])
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(JSON.stringify({ model: 'm', messages })))
        controller.close()
      },
    })
    expect((await chat(simulator, {}, { body: chunked, duplex: 'half' })).status).toBe(413)
    expect((await chat(simulator)).status).toBe(200)
  })

  test('what does not fit into the context', async () => {
    const simulator = await simulate({ contextTokens: 100 })
    const answer = await chat(simulator, { max_tokens: 91 })
    expect([answer.status, JSON.parse(answer.text).error]).toMatchObject([400, { code: 'context_length_exceeded' }])
    expect((await chat(simulator, { max_tokens: 90 })).status).toBe(200)
    expect((await chat(simulator, { max_tokens: undefined, messages: [{ ...USER, content: 'x'.repeat(400) }] })).status).toBe(400)
  })
})

describe('survives', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['an impossible path', 'GET // HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
    ['an absolute path', 'GET http://x/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
    ['an upgrade', 'GET /health HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
    ['a tunnel', 'CONNECT x:80 HTTP/1.1\r\nhost: x\r\n\r\n'],
    [
      'a body that ends early',
      'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
    ],
    ['two lengths', 'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}'],
  ])('%s', async (_, bytes) => {
    const simulator = await simulate()
    await sendRaw(simulator, bytes)
    expect((await chat(simulator)).status).toBe(200)
  })

  test.each([
    ['nested arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    [
      'nested tools',
      `{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_000)}}}],"tool_choice":"required"}`,
    ],
    [
      'prototype keys',
      '{"model":"m","__proto__":{"n":5},"messages":[{"role":"user","content":"x","__proto__":{"role":"tool"}}],"max_tokens":3}',
    ],
    ['half a surrogate pair', '{"model":"m","messages":[{"role":"user","content":"\\ud83d"}],"max_tokens":3}'],
  ])('a body with %s', async (_, body) => {
    const simulator = await simulate()
    expect((await chat(simulator, {}, { body })).status).toBeLessThan(500)
    expect((await chat(simulator)).status).toBe(200)
  })

  test('a client that never reads', async () => {
    const simulator = await simulate()
    const leave = new AbortController()
    const response = await startChat(simulator, { stream: true, max_tokens: 100_000 }, { signal: leave.signal })
    await until(() => expect(simulator.load.running).toBe(0))
    expect(simulator.requests[0]?.outcome).toBe('pending')
    expect((await chat(simulator)).status).toBe(200)
    expect(response.status).toBe(200)
    leave.abort()
    await until(() => expect(simulator.requests[0]?.outcome).toBe('disconnected'))
  })
})
