import { once } from 'node:events'
import type { Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  contentChunk,
  doneEvent,
  event,
  httpChunk,
  roleEvent,
  stopEvent,
  streamEnd,
  streamHead,
  streamOf,
} from './chat-stream.fixture.ts'
import { bodyServer, bytesServer, endpointAt, request, seen } from './endpoint.fixture.ts'
import { closedPort, type LocalServer, rawServer, socketServer } from './local-server.fixture.ts'

const reset = (socket: Socket) => socket.resetAndDestroy()
const end = (socket: Socket) => socket.end()
const part = streamHead + httpChunk(roleEvent + event(contentChunk('a')))
const http = (status: string, body: string, headers = '') =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`

test.each<[name: string, server: () => Promise<LocalServer>, expected: string]>([
  ['reset before an answer', () => bytesServer('', reset), 'connection_reset: HOST'],
  ['closed before an answer', () => rawServer(end), 'connection_reset: HOST'],
  ['reset in the middle', () => bytesServer(part, reset), 'connection_reset: HOST'],
  ['closed in the middle of a chunked answer', () => bytesServer(part, end), 'connection_reset: HOST'],
  [
    'closed before the length it announced',
    () => bytesServer('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\ndata: ', end),
    'connection_reset: HOST',
  ],
  [
    'closed after the finish reason but before the end',
    () => bytesServer(streamHead + httpChunk(event(contentChunk('a')) + stopEvent), end),
    'connection_reset: HOST',
  ],
  ['a stream without an end', () => bytesServer(part + streamEnd), 'truncated: POST http://HOST'],
  [
    'a stream without length whose connection ends',
    () => bytesServer(`HTTP/1.1 200 OK\r\n\r\n${event(contentChunk('a'))}`, end),
    'truncated: POST',
  ],
  [
    'an error in the stream',
    () => bytesServer(part + httpChunk(event({ error: { message: 'out of memory' } }))),
    'stream_error: POST http://HOST/v1/chat/completions: out of memory',
  ],
  ['an event that is no JSON', () => bytesServer(part + httpChunk('data: {oops\n\n')), 'bad_response: POST'],
  [
    'text between the events, then the end',
    () => bytesServer(part + httpChunk('upstream reset\n') + streamEnd),
    'truncated: POST http://HOST/v1/chat/completions: the stream ended with neither finish_reason nor [DONE]; between its events stands: upstream reset',
  ],
  [
    'text instead of a stream',
    () => bodyServer('hello'),
    'bad_response: POST http://HOST/v1/chat/completions: the body is no event stream: hello',
  ],
  [
    'a page instead of a stream',
    () => bodyServer('<html><title>It works</title></html>'),
    'bad_response: POST http://HOST/v1/chat/completions: the body is not a JSON object: It works',
  ],
  [
    'an empty success',
    () => bytesServer('HTTP/1.1 204 No Content\r\n\r\n'),
    'truncated: POST http://HOST/v1/chat/completions: the body is empty',
  ],
  [
    'a stream cut in the midst of an event',
    () => bodyServer(`${roleEvent}${event(contentChunk('a')).slice(0, -10)}`),
    'truncated: POST http://HOST/v1/chat/completions: the stream ended with neither finish_reason nor [DONE]',
  ],
  [
    'an event at the end that is text and no JSON, said to be an error',
    () => bodyServer(`${roleEvent}event: error\ndata: out of memory`),
    'stream_error: POST http://HOST/v1/chat/completions: out of memory',
  ],
  ['no output', () => bodyServer(roleEvent + stopEvent + doneEvent), 'empty_output'],
  ['bytes that are no HTTP', () => bytesServer('SSH-2.0-OpenSSH_9.6\r\n'), 'bad_response: HOST does not answer in HTTP/1.1'],
  [
    'a leave to continue that nobody asked for',
    () => bytesServer(`HTTP/1.1 100 Continue\r\n\r\n${part}${streamEnd}`),
    'bad_response: HOST answered 100 Continue, for which nothing asked.',
  ],
  [
    'another protocol that nobody asked for',
    () => bytesServer('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    'bad_response: HOST answered that it speaks another protocol',
  ],
  [
    'a redirect',
    () => bytesServer(http('307 Temporary Redirect', '', 'location: /elsewhere\r\n')),
    'http_307: POST http://HOST/v1/chat/completions answered 307 Temporary Redirect with an empty body\nIt redirects to /elsewhere.',
  ],
  [
    'a missing model',
    () => bytesServer(http('404 Not Found', '{"error":{"message":"The model `asked` does not exist."}}')),
    "http_404: POST http://HOST/v1/chat/completions answered 404 Not Found: The model `asked` does not exist.\nThe request asked for model 'asked'",
  ],
  [
    'an error status whose body breaks off',
    () => bytesServer('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 99\r\n\r\nout of', end),
    'http_500: POST http://HOST/v1/chat/completions answered 500 Internal Server Error: out of',
  ],
  [
    'an error status with a body without end',
    () => bytesServer(`HTTP/1.1 500 Internal Server Error\r\ncontent-length: 99999999\r\n\r\n${'x'.repeat(100_000)}`),
    'http_500: POST',
  ],
])('%s', async (_name, start, expected) => {
  const server = await start()
  const exchange = await endpointAt(server.url).send(request())
  const said = seen(exchange).replaceAll(new URL(server.url).host, 'HOST')
  expect(said.slice(0, expected.length)).toBe(expected)
  expect(exchange.endMs).toBeGreaterThanOrEqual(exchange.sentMs ?? Number.POSITIVE_INFINITY)
})

test.each([
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a stream in %s is refused, and its connection closed', async (coding, compress) => {
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ntransfer-encoding: chunked\r\n\r\n`
  const body = compress(streamOf('a'))
  const server = await bytesServer(Buffer.concat([Buffer.from(`${head}${body.length.toString(16)}\r\n`), body]))
  const exchange = await endpointAt(server.url).send(request())
  expect(seen(exchange)).toContain(`the response is compressed (content-encoding: ${coding.toLowerCase()})`)
  expect(seen(exchange)).toMatch(/^bad_response: /)
  await Promise.all([...server.sockets].map((socket) => once(socket, 'close')))
})

test('a coding that changes nothing is none', async () => {
  const server = await bytesServer(
    streamHead.replace('\r\n\r\n', '\r\ncontent-encoding: Identity\r\n\r\n') + httpChunk(streamOf('a')) + streamEnd,
  )
  expect(seen(await endpointAt(server.url).send(request()))).toBe('ok: a')
})

test('hints that come before the answer are not the answer', async () => {
  const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n'
  const server = await bytesServer(hints + streamHead + httpChunk(streamOf('a')) + streamEnd)
  const endpoint = endpointAt(server.url)
  expect(seen(await endpoint.send(request()))).toBe('ok: a')
  expect(seen(await endpoint.send(request()))).toBe('ok: a')
  expect(server.sockets.size).toBe(1)
})

const MEGABYTE = 1024 * 1024

test('a chunk of 1 MB that is one piece of output comes whole', async () => {
  const long = 'é😀a'.repeat(MEGABYTE / 7)
  const server = await bytesServer(streamHead + httpChunk(streamOf(long)) + streamEnd)
  const exchange = await endpointAt(server.url).send(request())
  expect(exchange.outputTimesMs).toHaveLength(1)
  expect(seen(exchange) === `ok: ${long}`).toBe(true)
})

test('a chunk of 1 MB that is many pieces of output comes whole', async () => {
  const pieces = Array.from({ length: 8_000 }, (_, index) => `${index} `)
  const stream = streamOf(...pieces)
  expect(stream.length).toBeGreaterThan(MEGABYTE)
  const server = await bytesServer(streamHead + httpChunk(stream) + streamEnd)
  const exchange = await endpointAt(server.url).send(request())
  expect(exchange.outputTimesMs).toHaveLength(pieces.length)
  expect(seen(exchange)).toBe(`ok: ${pieces.join('')}`)
})

test('what had arrived before it is kept', async () => {
  const server = await bytesServer(part, end)
  const exchange = await endpointAt(server.url).send(request())
  expect(exchange.outputTimesMs).toHaveLength(1)
  expect(exchange.servedModel).toBe('served')
})

test('status and wait are given beside the message', async () => {
  const server = await bytesServer(http('429 Too Many Requests', '{"error":"slow down"}', 'retry-after: 3\r\n'))
  const { result } = await endpointAt(server.url).send(request())
  expect(result).toMatchObject({ state: 'failed', error: { label: 'http_429', status: 429, retryAfterMs: 3_000 } })
})

test('an error in the stream ends the exchange and the connection at once', async () => {
  const server = await bytesServer(part + httpChunk(event({ error: 'boom' })))
  expect(seen(await endpointAt(server.url).send(request()))).toContain('stream_error')
  await Promise.all([...server.sockets].map((socket) => once(socket, 'close')))
})

test('nothing listens', async () => {
  const port = await closedPort()
  const exchange = await endpointAt(`http://127.0.0.1:${port}`).send(request())
  expect(seen(exchange)).toBe(
    `connect_refused: 127.0.0.1:${port} refuses connections: is the server running, and is that its port?`,
  )
  expect(exchange.sentMs).toBeNull()
})

test('the name cannot be resolved', async () => {
  // Longer than a name may be: no resolver is asked.
  const exchange = await endpointAt(`http://${'x'.repeat(64)}.invalid`).send(request())
  expect(seen(exchange)).toContain('dns: the name in xxx')
})

test.each<[name: string, answer: (socket: Socket) => void]>([
  ['the server speaks no TLS', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['the server hangs up on the handshake', (socket) => socket.destroy()],
])('%s', async (_name, answer) => {
  const server = await socketServer(answer)
  const exchange = await endpointAt(server.url.replace('http:', 'https:')).send(request())
  expect(seen(exchange)).toContain('tls: no secure connection to 127.0.0.1')
  expect(exchange.sentMs).toBeNull()
})

test('a header that cannot be sent is a mistake in the program', async () => {
  const server = await bodyServer(streamOf('a'))
  const endpoint = endpointAt(server.url)
  await expect(endpoint.send(request({ headers: { 'x-a': 'b\nc' } }))).rejects.toThrow('invalid x-a header')
  expect(seen(await endpoint.send(request()))).toBe('ok: a')
})
