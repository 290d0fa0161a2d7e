import { createServer } from 'node:net'
import { answerRequests, chatChunk, streamBytes } from './answer-requests.ts'
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
  const call = (fields: object) => chatChunk({ tool_calls: [{ index: 0, ...fields }] }, null)
  const args = '{"path": "src/module.ts", "text": "export const answer = 42"}'
  return streamBytes([
    chatChunk({ role: 'assistant', content: '' }, null),
    call({ id: 'chatcmpl-tool-91', type: 'function', function: { name: 'edit_file', arguments: '' } }),
    ...(args.match(/.{1,4}/g) ?? []).map((piece) => call({ function: { arguments: piece } })),
    chatChunk({}, 'tool_calls'),
    { ...chatChunk({}, null), choices: [], usage: { prompt_tokens: 2_048, completion_tokens: 16, total_tokens: 2_064 } },
  ])
}

const answer = answerBytes()

const server = createServer((socket) => {
  let share = random()
  answerRequests(socket, (head) => {
    setTimeout(() => socket.write(answer), Number(/\?after=(\d+)/.exec(head)?.[1] ?? 0) * share)
    share = 1
  })
})

// A burst of connections waits in the queue instead of being tried again a second later.
server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
