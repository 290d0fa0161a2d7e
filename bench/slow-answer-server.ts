import { createServer } from 'node:net'
import { mulberry32 } from './synthetic-text.ts'

/**
 * Answers every request with the same tool call, in one write, so long after it has come as its path says; the first one on
 * a connection sooner, so that not all go in step. Cheaper than any client, whose bytes it only counts. Runs as a child process
 * and sends its port to the parent.
 *
 * `/v1/chat/completions?after=200`
 */
const random = mulberry32(1)

function answerBytes(): Buffer {
  const chunk = (delta: object, finishReason: string | null) => ({
    id: 'chatcmpl-3f0c1b9a8d7e4c55',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'Qwen/Qwen2.5-7B-Instruct',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  })
  const call = (fields: object) => chunk({ tool_calls: [{ index: 0, ...fields }] }, null)
  const args = '{"path": "src/module.ts", "text": "export const answer = 42"}'
  const events = [
    chunk({ role: 'assistant', content: '' }, null),
    call({ id: 'chatcmpl-tool-91', type: 'function', function: { name: 'edit_file', arguments: '' } }),
    ...(args.match(/.{1,4}/g) ?? []).map((piece) => call({ function: { arguments: piece } })),
    chunk({}, 'tool_calls'),
    { ...chunk({}, null), choices: [], usage: { prompt_tokens: 2_048, completion_tokens: 16, total_tokens: 2_064 } },
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`)
  const pieces = [...events, 'data: [DONE]\n\n'].map((text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n'
  return Buffer.from(`${head}${pieces.join('')}0\r\n\r\n`)
}

const answer = answerBytes()

const server = createServer((socket) => {
  /** The head of a request as far as it has come. */
  let head = ''
  let bodyBytesLeft = 0
  let afterMs = 0
  let share = random()
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (piece) => {
    let bodyStart = 0
    if (bodyBytesLeft === 0) {
      const before = head.length
      head += piece.toString('latin1')
      const headEnd = head.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      bodyStart = headEnd + 4 - before
      bodyBytesLeft = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      afterMs = Number(/\?after=(\d+)/.exec(head)?.[1] ?? 0)
      head = ''
    }
    bodyBytesLeft -= piece.length - bodyStart
    if (bodyBytesLeft === 0) {
      setTimeout(() => socket.write(answer), afterMs * share)
      share = 1
    }
  })
})

// A burst of connections waits in the queue instead of being tried again a second later.
server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
