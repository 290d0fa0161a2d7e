import { expect, test } from 'vitest'
import type { ApiName } from './api-name.ts'
import { endpointAt, request, seen } from './endpoint.fixture.ts'
import { httpServer } from './local-server.fixture.ts'
import type { TargetOptions } from './target.ts'

/** What each API answers in its shortest form, streamed and whole. */
const ANSWERS: Readonly<Record<ApiName, { readonly events: readonly unknown[]; readonly body: unknown }>> = {
  chat: {
    events: [{ choices: [{ delta: { content: 'Hello' }, finish_reason: 'stop' }] }],
    body: { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] },
  },
  completions: {
    events: [{ choices: [{ text: 'Hello', finish_reason: 'stop' }] }],
    body: { choices: [{ text: 'Hello', finish_reason: 'stop' }] },
  },
  responses: {
    events: [
      { type: 'response.output_text.delta', output_index: 0, delta: 'Hello' },
      { type: 'response.completed', response: { status: 'completed' } },
    ],
    body: { status: 'completed', output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }] },
  },
  messages: {
    events: [{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } }, { type: 'message_stop' }],
    body: { content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' },
  },
}

test.each<[api: ApiName, kind: TargetOptions['kind'], path: string, headers: Record<string, string>]>([
  ['chat', 'openai', '/v1/chat/completions', { authorization: 'Bearer key' }],
  ['completions', 'vllm', '/v1/completions', { authorization: 'Bearer key' }],
  ['responses', 'openai', '/v1/responses', { authorization: 'Bearer key' }],
  ['messages', 'anthropic', '/v1/messages', { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' }],
])('%s on the wire: its path, its headers, its answer', async (api, kind, path, headers) => {
  const came: unknown[] = []
  const server = await httpServer((message, response, body) => {
    const { stream } = JSON.parse(body)
    came.push({ path: message.url, stream, headers: message.headers })
    const { events, body: whole } = ANSWERS[api]
    const text = stream ? events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') : JSON.stringify(whole)
    response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' }).end(text)
  })
  const endpoint = endpointAt(server.url, { kind, api, apiKey: 'key' })
  for (const stream of [true, false]) {
    const exchange = await endpoint.send(request({ stream }))
    expect(seen(exchange)).toBe('ok: Hello')
    expect(exchange.outputTimesMs).toHaveLength(1)
  }
  expect(came).toMatchObject([
    { path, stream: true, headers },
    { path, stream: false, headers },
  ])
})

test('a version the user asks for goes before our own', async () => {
  const versions: unknown[] = []
  const server = await httpServer((message, response) => {
    versions.push(message.headers['anthropic-version'])
    response.end(JSON.stringify(ANSWERS.messages.body))
  })
  const endpoint = endpointAt(server.url, { kind: 'anthropic', headers: { 'Anthropic-Version': '2030-01-01' } })
  await endpoint.send(request({ stream: false }))
  expect(versions).toEqual(['2030-01-01'])
})
