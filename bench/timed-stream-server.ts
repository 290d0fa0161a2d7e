import { createServer, type Socket } from 'node:net'
import { mulberry32 } from './synthetic-text.ts'

/**
 * Streams whose every chunk carries the moment it was written, in microseconds; the first one before that the moment its
 * request had come. Only the last seven digits, so that a chunk is about as long as a token is: differences are what counts.
 * Runs as a child process and sends its port to the parent.
 *
 * Its own lateness does not matter, for a chunk says when it left; but what lies between stamp and write does, so it makes
 * next to no garbage: one buffer serves all chunks, and digits are written into it.
 *
 * The request's path says how: `/v1/chat/completions?first=150&gap=20&chunks=100`. The first one on a connection only opens it:
 * it is answered with one chunk.
 */
const TICK_MS = 1
const STAMP_DIGITS = 7

interface Stream {
  readonly socket: Socket
  readonly receivedMs: number
  readonly gapMs: number
  dueMs: number
  sent: number
  readonly chunks: number
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const frame = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const event = (content: string, finishReason: string | null = null) =>
  frame(
    `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1760000000,"model":"m","choices":[{"index":0,"delta":{"content":"${content}"},"finish_reason":${finishReason === null ? 'null' : `"${finishReason}"`}}]}\n\n`,
  )
const NO_STAMP = '0'.repeat(STAMP_DIGITS)
const first = Buffer.from(event(`${NO_STAMP} ${NO_STAMP} `))
const next = Buffer.from(event(`${NO_STAMP} `))
const end = Buffer.from(`${event('', 'stop')}${frame('data: [DONE]\n\n')}0\r\n\r\n`)
const stampAt = next.lastIndexOf(NO_STAMP)

function stamp(chunk: Buffer, at: number, timeMs: number): void {
  let rest = Math.round(timeMs * 1_000)
  for (let place = at + STAMP_DIGITS - 1; place >= at; place--) {
    chunk[place] = 48 + (rest % 10)
    rest = Math.floor(rest / 10)
  }
}

/** Written at once, or the buffer could not be used again: what a socket takes in is far more than a chunk. */
function write(socket: Socket, bytes: Buffer): void {
  socket.write(bytes)
  if (socket.writableLength > 0) throw new Error('A chunk was not written at once.')
}

function writeFirst({ socket, receivedMs }: Stream): void {
  stamp(first, stampAt, receivedMs)
  stamp(first, stampAt + STAMP_DIGITS + 1, performance.now())
  write(socket, first)
}

function writeNext({ socket }: Stream): void {
  stamp(next, stampAt, performance.now())
  write(socket, next)
}

let streams: Stream[] = []

setInterval(() => {
  const nowMs = performance.now()
  let ended = false
  for (const stream of streams) {
    if (stream.dueMs > nowMs) continue
    stream.dueMs += stream.gapMs
    if (stream.sent++ === 0) writeFirst(stream)
    else writeNext(stream)
    if (stream.sent < stream.chunks) continue
    write(stream.socket, end)
    ended = true
  }
  if (ended) streams = streams.filter(({ sent, chunks }) => sent < chunks)
}, TICK_MS)

const random = mulberry32(1)

const server = createServer((socket) => {
  let unread: Buffer = Buffer.alloc(0)
  let chunks = 1
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('close', () => {
    streams = streams.filter((stream) => stream.socket !== socket)
  })
  socket.on('data', (piece) => {
    const receivedMs = performance.now()
    unread = unread.length === 0 ? piece : Buffer.concat([unread, piece])
    const headEnd = unread.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const head = unread.toString('latin1', 0, headEnd)
    const bytes = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (unread.length < bytes) return
    unread = unread.subarray(bytes)
    const query = new URLSearchParams(/\?(\S*)/.exec(head)?.[1])
    const given = (name: string) => Number(query.get(name))
    socket.write(HEAD)
    // Streams that began together do not go on in step.
    const dueMs = performance.now() + given('first') * (0.5 + random())
    streams.push({ socket, receivedMs, gapMs: given('gap'), dueMs, sent: 0, chunks })
    chunks = given('chunks')
  })
})

server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
