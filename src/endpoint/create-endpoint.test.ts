import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { manualClock } from '../base/manual-clock.fixture.ts'
import type { Message } from '../message/index.ts'
import { httpChunk, streamEnd, streamHead, streamOf, wholeAnswer } from './chat-stream.fixture.ts'
import { bodyServer, bytesServer, endpointAt, request, seen } from './endpoint.fixture.ts'
import { httpServer, rawServer, socketServer } from './local-server.fixture.ts'

describe('an answer', () => {
  test('streamed: its message, its times in order, its usage', async () => {
    const server = await bodyServer(streamOf('Hello', ' wörld'))
    const exchange = await endpointAt(server.url).send(request())
    expect(exchange.result).toEqual({
      state: 'ok',
      finishReason: 'stop',
      message: { role: 'assistant', parts: [{ type: 'text', text: 'Hello wörld' }] },
    })
    expect(exchange.usage).toEqual({ inputTokens: 9, outputTokens: 2, cachedInputTokens: 4 })
    expect(exchange.servedModel).toBe('served')
    expect(exchange.outputTimesMs).toHaveLength(2)
    const times = [exchange.queuedMs, exchange.sentMs ?? 0, ...exchange.outputTimesMs, exchange.endMs]
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  test('not streamed: one output when it has come', async () => {
    const server = await bodyServer(wholeAnswer('Hello'), 'application/json')
    const exchange = await endpointAt(server.url).send(request({ stream: false }))
    expect(seen(exchange)).toBe('ok: Hello')
    expect(exchange.outputTimesMs).toEqual([exchange.endMs])
  })

  test.each<[name: string, stream: boolean, body: string, type: string]>([
    ['JSON though a stream was asked for', true, wholeAnswer('Hello'), 'application/json'],
    ['a stream though none was asked for', false, streamOf('Hello'), 'text/event-stream'],
    ['a stream called JSON', true, streamOf('Hello'), 'application/json'],
    ['JSON called a stream, behind blanks', true, `\uFEFF\n ${wholeAnswer('Hello')}`, 'text/event-stream'],
  ])('is read for what it is: %s', async (_name, stream, body, type) => {
    const server = await bodyServer(body, type)
    expect(seen(await endpointAt(server.url).send(request({ stream })))).toBe('ok: Hello')
  })

  test('in one piece of a megabyte, and byte by byte', async () => {
    const long = 'é'.repeat(1 << 19)
    const large = await bodyServer(streamOf('a', 'b', long))
    expect(seen(await endpointAt(large.url).send(request()))).toBe(`ok: ab${long}`)
    const dripped = await rawServer((socket) => {
      socket.write(streamHead)
      for (const byte of Buffer.from(streamOf('aé', 'b𝄞')))
        socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]))
      socket.write(streamEnd)
    })
    expect(seen(await endpointAt(dripped.url).send(request()))).toBe('ok: aéb𝄞')
  })

  test('after an early hint', async () => {
    const server = await bytesServer(
      `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${streamHead}${httpChunk(streamOf('a'))}${streamEnd}`,
    )
    expect(seen(await endpointAt(server.url).send(request()))).toBe('ok: a')
  })

  test('whose connection ends with it', async () => {
    const server = await bytesServer(`HTTP/1.1 200 OK\r\n\r\n${streamOf('a')}`, (socket) => socket.end())
    const endpoint = endpointAt(server.url)
    expect([seen(await endpoint.send(request())), seen(await endpoint.send(request()))]).toEqual(['ok: a', 'ok: a'])
  })

  test('whose connection breaks after [DONE]', async () => {
    const server = await bytesServer(streamHead + httpChunk(streamOf('a')), (socket) => socket.end())
    expect(seen(await endpointAt(server.url).send(request()))).toBe('ok: a')
  })
})

describe('on the wire', () => {
  test("path, headers and body are the target's and the request's", async () => {
    const received: { head: IncomingMessage; body: string }[] = []
    const server = await httpServer((head, response, body) => {
      received.push({ head, body })
      response.end(streamOf('a'))
    })
    const endpoint = endpointAt(`${server.url}/team/v1/?api-version=2`, {
      apiKey: 'k',
      headers: { 'x-team': 'agents', 'X-Both': 'target' },
      body: { extra: 1 },
    })
    await endpoint.send(request({ headers: { 'X-Session': 's1', 'x-both': 'request' } }))
    const [{ head, body } = expect.unreachable()] = received
    expect([head.method, head.url]).toEqual(['POST', '/team/v1/chat/completions?api-version=2'])
    expect(head.headers).toMatchObject({
      authorization: 'Bearer k',
      'content-type': 'application/json',
      'x-team': 'agents',
      'x-session': 's1',
      'x-both': 'request',
    })
    expect(head.headers).not.toHaveProperty('accept-encoding')
    expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(body))
    expect(JSON.parse(body)).toMatchObject({ model: 'asked', stream: true, extra: 1 })
  })

  test('calls one after another share a connection, calls at once have one each', async () => {
    const server = await bodyServer(streamOf('a'))
    const endpoint = endpointAt(server.url)
    for (let call = 0; call < 5; call++) expect(seen(await endpoint.send(request()))).toBe('ok: a')
    expect(server.sockets.size).toBe(1)

    const arrived: (() => void)[] = []
    const gate = await httpServer((_request, response) => {
      arrived.push(() => response.end(streamOf('a')))
      if (arrived.length === 20) for (const answer of arrived) answer()
    })
    const together = endpointAt(gate.url)
    const exchanges = await Promise.all(Array.from({ length: 20 }, () => together.send(request())))
    expect(new Set(exchanges.map(seen))).toEqual(new Set(['ok: a']))
    expect(gate.sockets.size).toBe(20)
  })

  test('a connection whose request the server answered and does not read to its end carries no other one', async () => {
    const body = wholeAnswer('enough')
    const server = await socketServer((socket) => {
      socket.once('data', () => {
        socket.pause()
        socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
      })
    })
    const endpoint = endpointAt(server.url)
    const long: Message = { role: 'user', parts: [{ type: 'text', text: 'a'.repeat(20_000_000) }] }
    for (let call = 1; call <= 2; call++) {
      expect(seen(await endpoint.send(request({ messages: [long], stream: false })))).toBe('ok: enough')
      expect(server.sockets.size).toBe(call)
    }
  })

  test('a connection the server has closed while idle is opened anew', async () => {
    const server = await bodyServer(streamOf('a'))
    const endpoint = endpointAt(server.url)
    await endpoint.send(request())
    for (const socket of server.sockets) socket.end()
    await Promise.all([...server.sockets].map((socket) => once(socket, 'close')))
    expect(seen(await endpoint.send(request()))).toBe('ok: a')
  })

  test('the time to connect is not part of the time since the request was sent', async () => {
    const server = await bodyServer(streamOf('a'))
    const clock = manualClock(100)
    const sending = endpointAt(server.url, {}, clock).send(request())
    clock.advance(7)
    const exchange = await sending
    expect([exchange.queuedMs, exchange.sentMs, exchange.endMs]).toEqual([100, 107, 107])
    expect(clock.pending).toBe(0)
  })
})
