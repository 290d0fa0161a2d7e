import { createServer as createHttpServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Message } from '../message/index.ts'
import { SERVER_CERT, SERVER_KEY } from './certificates.fixture.ts'
import { streamOf } from './chat-stream.fixture.ts'
import { endpointAt, request, seen } from './endpoint.fixture.ts'
import { GatheredBody } from './gathered-body.ts'
import { joinBody, wholeBody } from './join-body.ts'

test('bodies of any size keep their bytes while others are made', () => {
  const sizes = [0, 1, 100, 2_047, 2_048, 16_000, 16_384, 16_385, 300_000, 7, 16_384]
  const bodies = Array.from({ length: 200 }, (_, index) => {
    const size = sizes[index % sizes.length] ?? 0
    const head = `head ${index} é𝄞 `
    const piece = Buffer.alloc(size, index % 251)
    const pieces = [piece, Buffer.from('|'), Buffer.from('¦'), piece, Buffer.from(']')]
    return { body: joinBody(head, pieces), expected: Buffer.concat([Buffer.from(head), ...pieces]) }
  })
  expect(bodies.filter(({ body, expected }) => !wholeBody(body).equals(expected))).toEqual([])
  expect(bodies.filter(({ body, expected }) => body.byteLength !== expected.length)).toEqual([])
})

test('what is long stays where it is, what is short beside it is joined', () => {
  const long = Buffer.alloc(20_000, 'a')
  const longer = Buffer.alloc(200_000_000)
  const body = joinBody('{', [Buffer.from('b'), long, Buffer.from(','), Buffer.from('c'), longer])
  expect(body).toBeInstanceOf(GatheredBody)
  const pieces = body instanceof GatheredBody ? body.pieces : []
  expect(pieces.map((piece) => piece.length)).toEqual([2, 20_000, 2, 200_000_000])
  expect(pieces[1]).toBe(long)
  expect(pieces[3]).toBe(longer)
})

const identity = { cert: SERVER_CERT, key: SERVER_KEY }

test.each([
  ['http', (answer: Parameters<typeof createHttpServer>[1]) => createHttpServer(answer), {}],
  ['https', (answer: Parameters<typeof createHttpServer>[1]) => createHttpsServer(identity, answer), { tls: { verify: false } }],
  [
    'HTTP/2',
    (answer: Parameters<typeof createHttpServer>[1]) =>
      createSecureServer(identity, (message, response) => answer?.(message as never, response as never)),
    { tls: { verify: false }, http2: true },
  ],
])('long histories arrive as they are, by %s, also where the server reads them late', async (protocol, serverFor, more) => {
  const bodies: string[] = []
  const server: Server = serverFor((message, response) => {
    const pieces: Buffer[] = []
    // More than sockets hold: a part has to wait for the server.
    setImmediate(() => message.on('data', (piece: Buffer) => pieces.push(piece)))
    message.on('end', () => {
      bodies.push(Buffer.concat(pieces).toString())
      response.end(streamOf('Hello'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `${protocol === 'http' ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`
  const endpoint = endpointAt(url, more)
  const texts = ['short', 'é'.repeat(30_000), '𝄞"\n'.repeat(100), 'a'.repeat(8_000_000), ...Array(2_000).fill('b'.repeat(3_000))]
  const messages = texts.map((text): Message => ({ role: 'user', parts: [{ type: 'text', text }] }))
  // The first is in one piece, the second, over the same connection, in as many as there are messages.
  for (const sent of [messages, messages.toReversed()]) {
    expect(seen(await endpoint.send(request({ messages: sent })))).toBe('ok: Hello')
  }
  const contents = bodies.map((body) => JSON.parse(body).messages.map(({ content }: { content: string }) => content))
  expect(contents).toEqual([texts, texts.toReversed()])
  await endpoint.close()
})
