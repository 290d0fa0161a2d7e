import { createServer } from 'node:net'

/**
 * Answers every request with the same bytes in one write: cheaper than any client, so that the client is what is measured.
 * Runs as a child process and sends its port to the parent.
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
  let unread: Buffer = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (piece) => {
    unread = unread.length === 0 ? piece : Buffer.concat([unread, piece])
    for (let end = requestEnd(unread); end !== undefined; end = requestEnd(unread)) {
      unread = unread.subarray(end)
      socket.write(response)
    }
  })
})

function requestEnd(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1]
  const end = headEnd + 4 + Number(length ?? 0)
  return bytes.length >= end ? end : undefined
}

server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
