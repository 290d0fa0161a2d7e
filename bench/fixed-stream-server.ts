import { createServer } from 'node:net'
import { answerRequests, chatChunk, streamBytes } from './answer-requests.ts'

/**
 * Answers every request with the same bytes in one write, and keeps none of what it reads: cheaper than any client, so that
 * the client is what is measured. Runs as a child process and sends its port to the parent.
 */
const CHUNKS = 16

function responseBytes(): Buffer {
  return streamBytes([
    chatChunk({ role: 'assistant', content: '' }, null),
    ...Array.from({ length: CHUNKS }, (_, index) => chatChunk({ content: ` token${index}` }, null)),
    chatChunk({ content: '' }, 'stop'),
    {
      ...chatChunk({}, null),
      choices: [],
      usage: {
        prompt_tokens: 256,
        completion_tokens: CHUNKS,
        total_tokens: 256 + CHUNKS,
        prompt_tokens_details: { cached_tokens: 128 },
      },
    },
  ])
}

const response = responseBytes()

const server = createServer((socket) => answerRequests(socket, () => socket.write(response)))

server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
