import { createServer } from 'node:net'

/**
 * Answers every request with the same bytes in one write, and keeps none of what it reads: cheaper than any client, so that
 * the client is what is measured. Runs as a child process and sends its port to the parent.
 */
const CHUNKS = 16

function responseBytes(): Buffer {
  const chunk = (delta: object, finishReason: string | null) => ({
    id: 'chatcmpl-3f0c1b9a8d7e4c55',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'Qwen/Qwen2.5-7B-Instruct',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  })
  const events = [
    chunk({ role: 'assistant', content: '' }, null),
    ...Array.from({ length: CHUNKS }, (_, index) => chunk({ content: ` token${index}` }, null)),
    chunk({ content: '' }, 'stop'),
    {
      ...chunk({}, null),
      choices: [],
      usage: {
        prompt_tokens: 256,
        completion_tokens: CHUNKS,
        total_tokens: 256 + CHUNKS,
        prompt_tokens_details: { cached_tokens: 128 },
      },
    },
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`)
  const pieces = [...events, 'data: [DONE]\n\n'].map((text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n'
  return Buffer.from(`${head}${pieces.join('')}0\r\n\r\n`)
}

const response = responseBytes()

const server = createServer((socket) => {
  /** The start of a head whose end has not come yet. */
  let head = ''
  let bodyBytesLeft = 0
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (piece) => {
    let at = 0
    while (at < piece.length) {
      if (bodyBytesLeft === 0) {
        const end = piece.indexOf('\r\n\r\n', at)
        head += piece.toString('latin1', at, end === -1 ? piece.length : end)
        if (end === -1) return
        at = end + 4
        bodyBytesLeft = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        head = ''
      }
      const taken = Math.min(bodyBytesLeft, piece.length - at)
      at += taken
      bodyBytesLeft -= taken
      if (bodyBytesLeft === 0) socket.write(response)
    }
  })
})

server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
