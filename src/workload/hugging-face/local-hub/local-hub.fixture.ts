import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type Answer, type Fault, FaultPlan, send } from './faults.fixture.ts'
import { answerHub, type TokenRights } from './hub-api.fixture.ts'
import { isLarge, Repositories, type Repository } from './repositories.fixture.ts'
import { answerStorage } from './storage.fixture.ts'

export interface SeenRequest {
  readonly server: 'hub' | 'storage'
  /** `GET /api/datasets/…` */
  readonly line: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface DatasetOptions {
  readonly isPrivate?: boolean
  readonly gated?: Repository['gated']
}

/** Speaks the API of the Hugging Face Hub, on 127.0.0.1, with a storage on another port. */
export class LocalHub {
  readonly repositories = new Repositories()
  readonly seen: SeenRequest[] = []
  /** `hf_read` may read, `hf_write` write and see what is gated. */
  readonly tokens = new Map<string, TokenRights>([
    ['hf_read', { write: false, gated: false }],
    ['hf_gated', { write: false, gated: true }],
    ['hf_write', { write: true, gated: true }],
  ])
  readonly #faults = new FaultPlan()
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()
  #url = ''
  #storageUrl = ''
  #pageSize = 1_000

  static async start({ pageSize = 1_000 } = {}): Promise<LocalHub> {
    const hub = new LocalHub()
    hub.#pageSize = pageSize
    hub.#url = await hub.#listen('hub', (request, body, fault) => answerHub(hub.#api(), request, body, fault))
    hub.#storageUrl = await hub.#listen('storage', (request, body, fault) =>
      answerStorage(hub.repositories, request, body, fault),
    )
    return hub
  }

  get url(): string {
    return this.#url
  }

  get storageUrl(): string {
    return this.#storageUrl
  }

  /** Adds a data set, or files to it. @returns the commit */
  put(name: string, files: Readonly<Record<string, Uint8Array | string>>, options: DatasetOptions = {}): string {
    const repository = this.repositories.get(name) ?? this.repositories.create(name, options)
    const tree = new Map(
      Object.entries(files).map(([path, content]) => {
        const bytes = Buffer.from(content as Uint8Array)
        return [path, { bytes, lfs: isLarge(path, bytes.length) }]
      }),
    )
    return this.repositories.commit(repository, 'main', tree)
  }

  /** Does something else the next times a request matches, told as `hub GET /path` or `storage GET /path`. */
  fail(matches: RegExp, fault: Fault, times = 1): void {
    this.#faults.add(matches, fault, times)
  }

  /** What was asked for since the last time. */
  takeSeen(): string[] {
    return this.seen.splice(0).map(({ server, line }) => `${server} ${line}`)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }

  #api() {
    return {
      repositories: this.repositories,
      hubUrl: () => this.#url,
      storageUrl: () => this.#storageUrl,
      tokens: this.tokens,
      pageSize: this.#pageSize,
    }
  }

  async #listen(
    name: 'hub' | 'storage',
    answer: (request: IncomingMessage, body: Buffer, fault: Fault | undefined) => Answer,
  ): Promise<string> {
    const server = createServer((request, response) => {
      const pieces: Buffer[] = []
      response.on('error', () => {})
      request.on('data', (piece: Buffer) => pieces.push(piece))
      request.on('end', () => {
        const body = Buffer.concat(pieces)
        const line = `${request.method} ${request.url}`
        this.seen.push({ server: name, line, headers: request.headers, body })
        const fault = this.#faults.take(`${name} ${line}`)
        void send(request, response, answer(request, body, fault), fault)
      })
    })
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
    this.#servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
}
