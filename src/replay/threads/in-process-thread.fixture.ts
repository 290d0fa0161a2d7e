import { MessageChannel } from 'node:worker_threads'
import { serveSessions } from './session-thread.ts'
import type { Thread } from './thread-pool.ts'
import type { FromThread, ToThread } from './thread-protocol.ts'

export interface InProcessThread extends Thread {
  /** What the pool has sent it. */
  readonly received: readonly ToThread[]
  /** Ends it as a crash does. */
  crash(error: Error): void
}

/** A thread that is none: the same messages, copied the same way, on the thread of the test. */
export function inProcessThread(): InProcessThread {
  const { port1: near, port2: far } = new MessageChannel()
  const received: ToThread[] = []
  let ended: (error: Error | undefined) => void = () => {}
  const end = (error?: Error) => {
    near.close()
    far.close()
    ended(error)
  }
  serveSessions(
    {
      postMessage: (message: FromThread) => far.postMessage(message),
      onMessage: (receive) => far.on('message', receive),
    },
    // Behind the messages that are still on their way.
    () => setImmediate(() => setImmediate(end)),
  )
  return {
    received,
    postMessage(message) {
      received.push(message)
      near.postMessage(message)
    },
    onMessage: (receive) => void near.on('message', receive),
    onEnd(run) {
      ended = run
    },
    terminate: () => end(),
    crash: end,
  }
}
