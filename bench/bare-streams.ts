import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { systemClock } from '../src/base/index.ts'

/** A read is looked at before the next one comes. */
const READ_BUFFER = Buffer.alloc(64 * 1024)
const CONTENT = '"content":"'

interface Stream {
  readonly sentMs: number
  readonly chunksMs: number[]
  text: string
  readonly onEnd: () => void
}

/** One socket to a connection, with nothing between it and the clock: the least error that this machine lets one have. */
export class BareStreams {
  readonly #port: number
  readonly #request: string
  readonly #idle: Connection[] = []
  readonly #all: Connection[] = []

  constructor(port: number, request: string) {
    this.#port = port
    this.#request = request
  }

  async send(): Promise<Omit<Stream, 'onEnd'>> {
    const connection = this.#idle.pop() ?? (await this.#open())
    const stream = await connection.exchange(this.#request)
    this.#idle.push(connection)
    return stream
  }

  async #open(): Promise<Connection> {
    const connection = new Connection(this.#port)
    this.#all.push(connection)
    await once(connection.socket, 'connect')
    return connection
  }

  async close(): Promise<void> {
    for (const { socket } of this.#all) socket.destroy()
  }
}

class Connection {
  readonly socket: Socket
  #stream: Stream | undefined

  constructor(port: number) {
    const callback = (length: number, buffer: Uint8Array): boolean => {
      const atMs = systemClock.now()
      this.#take(Buffer.from(buffer.buffer, buffer.byteOffset, length), atMs)
      return true
    }
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer: READ_BUFFER, callback } })
  }

  exchange(request: string): Promise<Stream> {
    return new Promise((resolve) => {
      const stream: Stream = { sentMs: systemClock.now(), chunksMs: [], text: '', onEnd: () => resolve(stream) }
      this.#stream = stream
      this.socket.write(request)
    })
  }

  #take(read: Buffer, atMs: number): void {
    const stream = this.#stream
    if (stream === undefined) return
    for (let at = read.indexOf(CONTENT); at !== -1; at = read.indexOf(CONTENT, at + 1)) {
      const from = at + CONTENT.length
      const to = read.indexOf('"', from)
      if (to === from) continue
      stream.chunksMs.push(atMs)
      stream.text += read.toString('latin1', from, to)
    }
    if (read.includes('[DONE]')) stream.onEnd()
  }
}
