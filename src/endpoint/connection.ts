import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import { writeGatheredBodies } from './gathered-body.ts'
import { handOver } from './hand-over.ts'
import { type RequestBody, wholeBody } from './join-body.ts'
import { readIntoSharedMemory } from './read-memory.ts'
import type { Target } from './target.ts'

/** How connections are made. */
export type ConnectionSettings = Pick<Target, 'tls' | 'http2' | 'keepAlive'>

export type RequestOptions = Dispatcher.DispatchOptions & { readonly body: RequestBody }

/** What a pending exchange asks of its connection. */
export interface RequestChannel {
  dispatch(options: RequestOptions, handler: Dispatcher.DispatchHandler): void
  /** The response was read to its end: the connection can carry another request. */
  release(): void
  /** Closes the socket at once, connected or not. */
  destroy(): void
}

/** Servers commonly drop an idle connection after 5 s: ours goes first, so that no request meets a closing socket. */
const KEEP_ALIVE_MS = 4_000
const TCP_KEEP_ALIVE_DELAY_MS = 60_000
const MAX_RESPONSE_HEADER_BYTES = 64 * 1024

/** One connection to the target, opened when it is first used and again when it was closed while idle. */
class Connection implements RequestChannel {
  readonly #pool: ConnectionPool
  readonly #client: Client
  /** HTTP/2 frames a body before a socket sees it. */
  readonly #joins: boolean
  #socket: Socket | undefined

  constructor(origin: string, settings: ConnectionSettings, pool: ConnectionPool) {
    this.#pool = pool
    this.#joins = settings.http2
    this.#client = new Client(origin, {
      pipelining: 1,
      // Time limits are ours alone: they differ by phase and count from other moments.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
      allowH2: settings.http2,
      connect: (options, callback) => {
        this.#socket = openSocket(options, settings, callback)
      },
    })
  }

  dispatch(options: RequestOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(this.#joins ? { ...options, body: wholeBody(options.body) } : options, handler)
  }

  release(): void {
    this.#pool.takeBack(this)
  }

  destroy(): void {
    this.#pool.forget(this)
    void this.close()
  }

  /** Bytes of a request are still on their way: the server answered before it had read them, and may never do so. */
  get isSending(): boolean {
    return (this.#socket?.writableLength ?? 0) > 0
  }

  async close(): Promise<void> {
    const destroyed = this.#client.destroy()
    // The client leaves a socket alone that is still connecting.
    this.#socket?.destroy()
    await destroyed
  }
}

function openSocket(options: buildConnector.Options, settings: ConnectionSettings, callback: buildConnector.Callback): Socket {
  const { hostname } = options
  const secure = options.protocol === 'https:'
  const port = options.port === '' ? (secure ? 443 : 80) : Number(options.port)
  const socket: Socket = secure
    ? connectTls({
        host: hostname,
        port,
        ALPNProtocols: settings.http2 ? ['h2', 'http/1.1'] : ['http/1.1'],
        ...(isIP(hostname) === 0 && { servername: hostname }),
        ...settings.tls,
      })
    : openPlainSocket(hostname, port)
  let settled = false
  writeGatheredBodies(socket)
  socket.setNoDelay(true)
  socket.setKeepAlive(true, TCP_KEEP_ALIVE_DELAY_MS)
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    settled = true
    callback(null, socket)
  })
  socket.on('error', (error) => {
    if (settled) return
    settled = true
    callback(error, null)
  })
  return socket
}

function openPlainSocket(host: string, port: number): Socket {
  const socket: Socket = connectTcp({ host, port, onread: readIntoSharedMemory((bytes) => hand(bytes)) })
  const hand = handOver(socket)
  return socket
}

/**
 * As many connections as there are requests in flight: a request never waits for another one's. The one used last is taken
 * first, so that those a burst left behind go idle and close.
 */
export class ConnectionPool {
  readonly #origin: string
  readonly #settings: ConnectionSettings
  readonly #all = new Set<Connection>()
  readonly #idle: Connection[] = []

  constructor(origin: string, settings: ConnectionSettings) {
    this.#origin = origin
    this.#settings = settings
  }

  /** A channel for one request; it ends in `release` or `destroy`. */
  acquire(): RequestChannel {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    const connection = new Connection(this.#origin, this.#settings, this)
    this.#all.add(connection)
    return connection
  }

  takeBack(connection: Connection): void {
    if (this.#settings.keepAlive && !connection.isSending) this.#idle.push(connection)
    else connection.destroy()
  }

  forget(connection: Connection): void {
    this.#all.delete(connection)
  }

  async close(): Promise<void> {
    const connections = [...this.#all]
    this.#all.clear()
    this.#idle.length = 0
    await Promise.all(connections.map((connection) => connection.close()))
  }
}
