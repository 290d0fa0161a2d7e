import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server on 127.0.0.1 that ends with the test. */
export interface LocalServer {
  readonly url: string
  readonly sockets: ReadonlySet<Socket>
  /** Resolves when every connection there is has closed, whoever closed it and how. */
  emptied(): Promise<void>
  close(): Promise<void>
}

/** Requests as they came, answered by `answer`. */
export async function httpServer(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<LocalServer> {
  const server = createHttpServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => answer(request, response, Buffer.concat(pieces).toString()))
    response.on('error', () => {})
  })
  return listening(server)
}

/**
 * Bytes as they come: `answer` gets the socket and the request's text once its head and body are there. For responses that
 * an HTTP server would not send.
 */
export async function rawServer(answer: (socket: Socket, request: string) => void): Promise<LocalServer> {
  const server = createTcpServer((socket) => {
    let received = ''
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('data', (piece) => {
      received += piece.toString('latin1')
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
      if (received.length < headEnd + 4 + length) return
      const request = received
      received = ''
      answer(socket, request)
    })
  })
  return listening(server)
}

/** Sockets as they are opened, before anything is asked. */
export async function socketServer(onConnect: (socket: Socket) => void): Promise<LocalServer> {
  return listening(
    createTcpServer((socket) => {
      socket.on('error', () => {})
      onConnect(socket)
    }),
  )
}

/** A port at which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = await socketServer(() => {})
  await server.close()
  return Number(new URL(server.url).port)
}

/** Starts a server of any kind, until the test ends. */
export async function listening(server: Server): Promise<LocalServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let closing: Promise<void> | undefined
  const local: LocalServer = {
    url: `http://127.0.0.1:${port}`,
    sockets,
    async emptied() {
      await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    },
    close() {
      closing ??= new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
      return closing
    },
  }
  onTestFinished(() => local.close())
  return local
}
