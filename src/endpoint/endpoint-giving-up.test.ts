import { once } from 'node:events'
import { expect, test } from 'vitest'
import { manualClock } from '../base/manual-clock.fixture.ts'
import { contentChunk, event, httpChunk, streamHead, streamOf } from './chat-stream.fixture.ts'
import { endpointAt, request, seen } from './endpoint.fixture.ts'
import { httpServer, rawServer, socketServer } from './local-server.fixture.ts'
import { tellingClock } from './telling-clock.fixture.ts'

const never = Number.POSITIVE_INFINITY
const off = { connectMs: never, firstTokenMs: never, idleMs: never, callMs: never }

test('connecting takes too long', async () => {
  // A TLS handshake that is never answered.
  const server = await socketServer(() => {})
  const clock = tellingClock()
  const armed = clock.armed(250)
  const sending = endpointAt(server.url.replace('http:', 'https:'), {}, clock).send(
    request({ timeouts: { ...off, connectMs: 250 } }),
  )
  await armed
  clock.advance(250)
  const exchange = await sending
  expect(seen(exchange)).toMatch(/^connect_timeout: no connection to 127\.0\.0\.1:\d+ within 250ms \(`timeouts\.connect`\)/)
  expect([exchange.sentMs, exchange.endMs]).toEqual([null, 250])
  await Promise.all([...server.sockets].map((socket) => once(socket, 'close')))
  expect(clock.pending).toBe(0)
})

test('the first token takes too long', async () => {
  const server = await rawServer(() => clock.advance(40))
  const clock = manualClock()
  const exchange = await endpointAt(server.url, {}, clock).send(request({ timeouts: { ...off, firstTokenMs: 40 } }))
  expect(seen(exchange)).toMatch(
    /^first_token_timeout: POST http\S+: no output within 40ms \(`timeouts\.firstToken`\); the server did not answer at all/,
  )
})

test('the whole call takes too long', async () => {
  const server = await rawServer(() => clock.advance(40))
  const clock = manualClock()
  const exchange = await endpointAt(server.url, {}, clock).send(request({ timeouts: { ...off, callMs: 40 } }))
  expect(seen(exchange)).toMatch(
    /^call_timeout: POST http\S+: not done within 40ms \(`timeouts\.call`\) after 0 chunks of output/,
  )
})

test('a stream that stalls is given up, with what it had brought', async () => {
  const server = await rawServer((socket) => socket.write(streamHead + httpChunk(event(contentChunk('a')))))
  const clock = tellingClock()
  const reading = clock.armed(70)
  const sending = endpointAt(server.url, {}, clock).send(request({ timeouts: { ...off, idleMs: 70 } }))
  await reading
  clock.advance(70)
  const exchange = await sending
  expect(seen(exchange)).toMatch(
    /^idle_timeout: POST http\S+: nothing came for 70ms \(`timeouts\.idle`\) after 1 chunks of output/,
  )
  expect([exchange.outputTimesMs, exchange.endMs]).toEqual([[0], 70])
  await Promise.all([...server.sockets].map((socket) => once(socket, 'close')))
})

test('an answer that says it is complete and never closes is taken after a moment', async () => {
  const server = await rawServer((socket) => socket.write(streamHead + httpChunk(streamOf('a'))))
  const clock = tellingClock()
  const complete = clock.armed(1_000)
  const endpoint = endpointAt(server.url, {}, clock)
  const sending = endpoint.send(request({ timeouts: off }))
  await complete
  clock.advance(1_000)
  const exchange = await sending
  expect(seen(exchange)).toBe('ok: a')
  expect(exchange.endMs).toBe(0)
  expect(clock.pending).toBe(0)
})

test('an error status whose body stalls keeps its name', async () => {
  const server = await rawServer((socket) =>
    socket.write('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 99\r\n\r\nout of memory'),
  )
  const clock = tellingClock()
  const reading = clock.armed(70)
  const sending = endpointAt(server.url, {}, clock).send(request({ timeouts: { ...off, idleMs: 70 } }))
  await reading
  clock.advance(70)
  expect(seen(await sending)).toMatch(/^http_500: .*: out of memory/)
})

test('a call that is aborted before it begins sends nothing', async () => {
  const server = await socketServer(() => expect.unreachable())
  const exchange = await endpointAt(server.url).send(request({ signal: AbortSignal.abort() }))
  expect([seen(exchange), exchange.sentMs]).toEqual(['aborted: the request was aborted before it was sent', null])
})

test('an abort while connecting closes the socket', async () => {
  const run = new AbortController()
  const server = await socketServer(() => run.abort())
  const exchange = await endpointAt(server.url.replace('http:', 'https:')).send(request({ signal: run.signal }))
  expect([seen(exchange), exchange.sentMs]).toEqual(['aborted: the request was aborted', null])
  await Promise.all([...server.sockets].map((socket) => once(socket, 'close')))
})

test('an abort while the server thinks closes the socket', async () => {
  const run = new AbortController()
  const server = await rawServer(() => run.abort())
  expect(seen(await endpointAt(server.url).send(request({ signal: run.signal })))).toBe('aborted: the request was aborted')
  await Promise.all([...server.sockets].map((socket) => once(socket, 'close')))
})

test('an abort in the middle of a stream closes the socket and keeps what had come', async () => {
  const run = new AbortController()
  const server = await rawServer((socket) => socket.write(streamHead + httpChunk(event(contentChunk('a')))))
  const clock = tellingClock()
  const reading = clock.armed(50)
  const sending = endpointAt(server.url, {}, clock).send(request({ signal: run.signal, timeouts: { ...off, idleMs: 50 } }))
  await reading
  run.abort()
  const exchange = await sending
  expect([seen(exchange), exchange.outputTimesMs]).toEqual(['aborted: the request was aborted', [0]])
  await Promise.all([...server.sockets].map((socket) => once(socket, 'close')))
  expect(clock.pending).toBe(0)
})

test('one signal ends every call that carries it, and none else', async () => {
  let arrived = 0
  let answerOther = () => {}
  const run = new AbortController()
  const server = await httpServer((_request, response, body) => {
    if (body.includes('stay')) answerOther = () => response.end(streamOf('a'))
    if (++arrived === 31) run.abort()
  })
  const warnings: Error[] = []
  const collect = (warning: Error) => warnings.push(warning)
  process.on('warning', collect)
  const endpoint = endpointAt(server.url)
  const staying = endpoint.send(request({ model: 'stay' }))
  const exchanges = await Promise.all(Array.from({ length: 30 }, () => endpoint.send(request({ signal: run.signal }))))
  answerOther()
  expect(new Set(exchanges.map(seen))).toEqual(new Set(['aborted: the request was aborted']))
  expect(seen(await staying)).toBe('ok: a')
  process.off('warning', collect)
  expect(warnings).toEqual([])
})

test('closing ends every call and every connection, and nothing is sent after it', async () => {
  const server = await rawServer((socket, text) => {
    if (text.includes('"idle"'))
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(streamOf('a'))}\r\n\r\n${streamOf('a')}`)
    else void endpoint.close()
  })
  const endpoint = endpointAt(server.url)
  expect(seen(await endpoint.send(request({ model: 'idle' })))).toBe('ok: a')
  const pending = await Promise.all([endpoint.send(request()), endpoint.send(request())])
  expect(pending.map(seen)).toEqual(['aborted: the request was aborted', 'aborted: the request was aborted'])
  await endpoint.close()
  expect(seen(await endpoint.send(request()))).toBe('aborted: the endpoint is closed')
  await Promise.all([...server.sockets].map((socket) => once(socket, 'close')))
})

test('a key is in no message, whoever echoes it', async () => {
  const key = 'sk-very-secret-1234'
  const server = await httpServer((head, response, body) => {
    const echo = `${head.headers.authorization} ${head.headers['x-api-key']} ${head.headers['x-session-token']}`
    if (body.includes('stream')) response.writeHead(401).end(JSON.stringify({ error: { message: `refused: ${echo}` } }))
  })
  const endpoint = endpointAt(server.url, { apiKey: key, headers: { 'x-api-key': 'other-secret' } })
  const exchange = await endpoint.send(request({ headers: { 'x-session-token': 'third-secret' } }))
  expect(seen(exchange)).toContain('http_401')
  expect(seen(exchange)).toContain('refused: *** *** ***')
  expect(JSON.stringify(exchange)).not.toMatch(/secret/)
})
