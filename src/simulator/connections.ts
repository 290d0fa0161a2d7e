import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** One request and its response. */
export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** `run` is called once, when the response has gone out or its connection has closed. */
  whenOver(run: () => void): void
}

/**
 * The open connections of a server and what is under way on each. A response tells of its end only while it has the
 * connection to itself: one that waits behind another (pipelining) would never learn that the client has gone.
 */
export class Connections {
  readonly #open = new Map<Socket, Set<() => void>>()

  add(socket: Socket): void {
    const underWay = new Set<() => void>()
    this.#open.set(socket, underWay)
    socket.once('close', () => {
      this.#open.delete(socket)
      for (const end of underWay) end()
    })
  }

  begin(request: IncomingMessage, response: ServerResponse): HttpExchange {
    const underWay = this.#open.get(request.socket)
    const runs: (() => void)[] = []
    const end = () => {
      underWay?.delete(end)
      for (const run of runs.splice(0)) run()
    }
    underWay?.add(end)
    response.once('close', end)
    return { request, response, whenOver: (run) => void runs.push(run) }
  }

  /** Closes all at once; resolves when they are closed and everything under way has been told. */
  async destroy(): Promise<void> {
    const sockets = [...this.#open.keys()]
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of sockets) socket.destroy()
    await Promise.all(closed)
  }
}
