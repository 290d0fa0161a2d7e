import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { manualClock } from '../base/manual-clock.fixture.ts'
import { contentChunk, event, httpChunk, streamEnd, streamHead, streamOf } from './chat-stream.fixture.ts'
import { endpointAt, request, seen } from './endpoint.fixture.ts'
import { listening, rawServer, socketServer } from './local-server.fixture.ts'
import { tellingClock } from './telling-clock.fixture.ts'

const STEP_MS = 10
const timeouts = { connectMs: 1_000, firstTokenMs: 300, idleMs: 200, callMs: 900 }

/** Answers with `head` and then one more `drop` every 10 ms, for ever: the server alone moves the clock. */
async function drippingServer(head: string, drop: (n: number) => string) {
  const clock = manualClock()
  const server = await rawServer((socket) => {
    const drip = (n: number) => {
      if (socket.destroyed) return
      clock.advance(STEP_MS)
      socket.write(drop(n), () => setImmediate(drip, n + 1))
    }
    socket.write(head, () => setImmediate(drip, 0))
  })
  return { clock, server }
}

const slowHead = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-more: ${'x'.repeat(10_000)}`

test.each<[name: string, head: string, drop: (n: number) => string, label: string, afterMs: number]>([
  ['a head that comes byte by byte', '', (n) => slowHead.charAt(n), 'first_token_timeout', 300],
  ['a stream of comments', streamHead, () => httpChunk(': wait\n\n'), 'first_token_timeout', 300],
  [
    'an event that comes byte by byte',
    `${streamHead}${httpChunk('data: {"a":"')}`,
    () => httpChunk('a'),
    'first_token_timeout',
    300,
  ],
  ['one byte of a chunk at a time', `${streamHead}ffff\r\ndata: `, () => 'a', 'first_token_timeout', 300],
  ['output without end', streamHead, () => httpChunk(event(contentChunk('a'))), 'call_timeout', 900],
  ['an error that comes byte by byte', 'HTTP/1.1 500 Oh\r\ncontent-length: 99999\r\n\r\n', () => 'a', 'http_500', 300],
  ['a whole answer that does not stop', streamHead + httpChunk(streamOf('a')), () => httpChunk(': bye\n\n'), 'ok: a', 1_000],
])('%s does not hold a call for longer than it may take', async (_name, head, drop, outcome, afterMs) => {
  const { clock, server } = await drippingServer(head, drop)
  const limits = outcome.startsWith('ok') ? { ...timeouts, callMs: 10_000 } : timeouts
  const exchange = await endpointAt(server.url, {}, clock).send(request({ timeouts: limits }))
  expect(seen(exchange).slice(0, outcome.length)).toBe(outcome)
  expect(clock.now()).toBeGreaterThanOrEqual(afterMs)
  await server.emptied()
  expect(clock.pending).toBe(0)
})

test('a peer that takes no more of a request is given up, and the rest is not sent', async () => {
  const clock = tellingClock()
  const peers: Socket[] = []
  const server = await socketServer((socket) => peers.push(socket.pause()))
  const sent = clock.armed(300)
  const long = { role: 'user', parts: [{ type: 'text', text: 'x'.repeat(32 * 1024 * 1024) }] } as const
  const sending = endpointAt(server.url, {}, clock).send(request({ messages: [long], timeouts }))
  await sent
  clock.advance(300)
  expect(seen(await sending)).toMatch(/^first_token_timeout: .*the server did not answer at all/)
  for (const peer of peers) peer.resume()
  await server.emptied()
  expect(Math.max(...peers.map((socket) => socket.bytesRead))).toBeLessThan(32 * 1024 * 1024)
})

/** A server that ends its side of a connection, when told so, and keeps the other open until the client ends it. */
async function halfClosingServer(answer: string) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(answer))
  })
  return listening(server)
}

test('a connection of which the peer has closed its half is closed, and not used again', async () => {
  const body = streamOf('a')
  const server = await halfClosingServer(streamHead + httpChunk(body) + streamEnd)
  const endpoint = endpointAt(server.url)
  expect(seen(await endpoint.send(request()))).toBe('ok: a')
  await server.emptied()
  expect(seen(await endpoint.send(request()))).toBe('ok: a')
})

test('a peer that closes its half without an answer is no longer waited for', async () => {
  const server = await halfClosingServer('')
  expect(seen(await endpointAt(server.url).send(request()))).toMatch(/^connection_reset: .*before any answer/)
  await server.emptied()
})

test('a peer that has gone while its connection was idle costs one call, not the next', async () => {
  const clock = tellingClock()
  let calls = 0
  // As after a crash or behind a firewall that forgot: no word comes any more, not even that it is over.
  const server = await rawServer((socket) => {
    if (++calls !== 2) socket.write(streamHead + httpChunk(streamOf('a')) + streamEnd)
  })
  const endpoint = endpointAt(server.url, {}, clock)
  expect(seen(await endpoint.send(request({ timeouts })))).toBe('ok: a')
  const sent = clock.armed(300)
  const lost = endpoint.send(request({ timeouts }))
  await sent
  clock.advance(300)
  expect(seen(await lost)).toMatch(/^first_token_timeout/)
  expect(seen(await endpoint.send(request({ timeouts })))).toBe('ok: a')
  expect(calls).toBe(3)
})
