import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { AUTHORITY, SERVER_CERT, SERVER_KEY } from './certificates.fixture.ts'
import { contentChunk, event, streamOf } from './chat-stream.fixture.ts'
import { endpointAt, request, seen } from './endpoint.fixture.ts'
import { listening } from './local-server.fixture.ts'

const { NGHTTP2_INTERNAL_ERROR, NGHTTP2_REFUSED_STREAM } = constants

/** Says something, and does the rest once it has been written. */
function partThen(stream: ServerHttp2Stream, then: () => void): void {
  stream.respond({ ':status': 200, 'content-type': 'text/event-stream' })
  stream.write(event(contentChunk('a')), () => setImmediate(then))
}

test.each<[name: string, answer: (stream: ServerHttp2Stream, socket: Socket) => void, expected: RegExp]>([
  ['a stream that is refused', (stream) => stream.close(NGHTTP2_REFUSED_STREAM), /^connection_reset: .*before any answer/],
  ['a connection reset before the answer', (_, socket) => socket.resetAndDestroy(), /^connection_reset: .*before any answer/],
  [
    'a stream reset in the midst',
    (stream) => partThen(stream, () => stream.close(NGHTTP2_INTERNAL_ERROR)),
    /^(?:truncated|connection_reset): /,
  ],
  ['a session that ends in the midst', (stream) => partThen(stream, () => stream.session?.destroy()), /^connection_reset: /],
  [
    'a connection reset in the midst',
    (stream, socket) => partThen(stream, () => socket.resetAndDestroy()),
    /^connection_reset: /,
  ],
  ['a stream that just ends', (stream) => partThen(stream, () => stream.end()), /^truncated: /],
  [
    'an error status',
    (stream) => {
      stream.respond({ ':status': 500 })
      stream.end('{"error":"boom"}')
    },
    /^http_500: .*: boom/,
  ],
])('over HTTP/2, %s is named and leaves nothing open', async (_, answer, expected) => {
  const { endpoint, server } = await http2Server(answer)
  expect(seen(await endpoint.send(request()))).toMatch(expected)
  await endpoint.close()
  await server.emptied()
})

test('over HTTP/2, silence ends with the call that gives it up', async () => {
  const stop = new AbortController()
  const { endpoint, server } = await http2Server((stream) => partThen(stream, () => stop.abort()))
  expect(seen(await endpoint.send(request({ signal: stop.signal })))).toBe('aborted: the request was aborted')
  await server.emptied()
})

test('over HTTP/2, hints come before the answer', async () => {
  const { endpoint } = await http2Server((stream) => {
    stream.additionalHeaders({ ':status': 103 })
    stream.respond({ ':status': 200 })
    stream.end(streamOf('a'))
  })
  expect(seen(await endpoint.send(request()))).toBe('ok: a')
})

async function http2Server(answer: (stream: ServerHttp2Stream, socket: Socket) => void) {
  const sockets: Socket[] = []
  const server = createSecureServer({ cert: SERVER_CERT, key: SERVER_KEY })
  server.on('connection', (socket: Socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
  })
  server.on('session', (session) => session.on('error', () => {}))
  server.on('stream', (stream) => {
    stream.on('error', () => {})
    stream.resume().on('end', () => {
      const socket = sockets.at(-1)
      if (socket !== undefined) answer(stream, socket)
    })
  })
  const local = await listening(server)
  return { server: local, endpoint: endpointAt(local.url.replace('http:', 'https:'), { http2: true, tls: { ca: AUTHORITY } }) }
}
