import type { Socket } from 'node:net'

/**
 * Calls `answer` with the head of each request on a socket, once its body has come, of which it keeps nothing: a server that
 * is cheaper than any client.
 */
export function answerRequests(socket: Socket, answer: (head: string) => void): void {
  /** As far as it has come. */
  let head = ''
  let hasHead = false
  let bodyBytesLeft = 0
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (piece) => {
    let at = 0
    while (at < piece.length) {
      if (!hasHead) {
        const end = piece.indexOf('\r\n\r\n', at)
        head += piece.toString('latin1', at, end === -1 ? piece.length : end)
        if (end === -1) return
        at = end + 4
        hasHead = true
        bodyBytesLeft = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      }
      const taken = Math.min(bodyBytesLeft, piece.length - at)
      at += taken
      bodyBytesLeft -= taken
      if (bodyBytesLeft > 0) return
      answer(head)
      head = ''
      hasHead = false
    }
  })
}

/** A streamed response of events, and `[DONE]`, with each of them in a chunk of its own. */
export function streamBytes(events: readonly object[]): Buffer {
  const texts = [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n']
  const pieces = texts.map((text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n'
  return Buffer.from(`${head}${pieces.join('')}0\r\n\r\n`)
}

/** A chunk of a chat completion. */
export function chatChunk(delta: object, finishReason: string | null) {
  return {
    id: 'chatcmpl-3f0c1b9a8d7e4c55',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'Qwen/Qwen2.5-7B-Instruct',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  }
}
