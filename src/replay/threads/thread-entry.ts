/** Where a thread that replays sessions begins. */
import { parentPort } from 'node:worker_threads'
import { serveSessions } from './session-thread.ts'
import type { FromThread } from './thread-protocol.ts'

const port = parentPort
if (port === null) throw new Error('This file is the beginning of a worker thread.')
serveSessions(
  {
    postMessage: (message: FromThread) => port.postMessage(message),
    onMessage: (receive) => port.on('message', receive),
  },
  () => port.close(),
)
