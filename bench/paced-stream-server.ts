import { createServer, type Socket } from 'node:net'
import { mulberry32 } from './synthetic-text.ts'

/**
 * Answers every request with three chunks, one write each, that come as a model would send them: around 5 ms apart, some held
 * up for longer. Runs as a child process and sends its port to the parent.
 */
const CHUNKS = 3
const MEDIAN_GAP_MS = 5
const SIGMA = 0.5

const random = mulberry32(1)

function gapMs(): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return MEDIAN_GAP_MS * Math.exp(SIGMA * normal)
}

const event = (fields: object) => `data: ${JSON.stringify({ ...COMMON, ...fields })}\n\n`
const COMMON = { id: 'chatcmpl-3f0c1b9a8d7e4c55', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'm' }
const output = (content: string) => event({ choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }] })
const piece = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n'
const LAST = `${event({ choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }] })}${event({
  choices: [],
  usage: { prompt_tokens: 256, completion_tokens: CHUNKS, total_tokens: 256 + CHUNKS },
})}data: [DONE]\n\n`
const WRITES = Array.from({ length: CHUNKS }, (_, index) => {
  const chunk = piece(output(` token${index}`))
  if (index === 0) return Buffer.from(HEAD + chunk)
  return Buffer.from(index === CHUNKS - 1 ? `${chunk}${piece(LAST)}0\r\n\r\n` : chunk)
})

function answer(socket: Socket, next = 0): void {
  const bytes = WRITES[next]
  if (bytes === undefined || socket.destroyed) return
  socket.write(bytes)
  setTimeout(() => answer(socket, next + 1), gapMs())
}

const server = createServer((socket) => {
  let head = ''
  let bodyBytesLeft = 0
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    let bodyStart = 0
    if (bodyBytesLeft === 0) {
      const before = head.length
      head += bytes.toString('latin1')
      const headEnd = head.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      bodyStart = headEnd + 4 - before
      bodyBytesLeft = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      head = ''
    }
    bodyBytesLeft -= bytes.length - bodyStart
    if (bodyBytesLeft === 0) answer(socket)
  })
})

server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
