import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { type Clock, checkOptions, systemClock, TraceReplayError } from '../base/index.ts'
import { readOtlpRequest } from '../trace/index.ts'
import { itemsOf } from './otlp-items.ts'
import { redactor } from './redact.ts'
import { SessionFiles } from './session-files.ts'

export interface CaptureOptions {
  /** Directory for the files; made when it is not there. */
  readonly out: string
  /** Port to listen on; `0` takes a free one. @default 4318 */
  readonly port?: number
  /** @default '127.0.0.1' */
  readonly host?: string
  /** Replace texts by filler of the same shape before they are written. @default false */
  readonly redact?: boolean
  /** Told of each export request that was taken or refused, and of what could not be written. */
  readonly onReceived?: (received: Received) => void
  readonly clock?: Clock
}

/** What one export request held. */
export type Received =
  | { readonly state: 'taken'; readonly spans: number; readonly logs: number }
  | { readonly state: 'refused'; readonly reason: string }

export interface Capture {
  /** What to set OTEL_EXPORTER_OTLP_ENDPOINT to. */
  readonly url: string
  /** The files written so far, a session each. */
  readonly files: readonly string[]
  /** Writes what is still held and stops listening. Rejects with `CAPTURE` when some of it could not be written. */
  close(): Promise<void>
}

const captureSchema = z.looseObject({
  out: z.string().min(1),
  port: z.int().min(0).max(65_535).optional(),
  host: z.string().min(1).optional(),
  redact: z.boolean().optional(),
})

/** Longer export requests are refused; exporters send batches of some hundred spans. */
const MOST_BODY_BYTES = 256 * 1024 * 1024

/**
 * Receives traces and log records over OTLP/HTTP (protobuf or JSON, gzip or not) and writes each session into a file that can be
 * replayed.
 *
 * @throws {TraceReplayError} `INVALID_OPTION`; `CAPTURE` when it cannot listen or there can be no such directory
 * @example
 * const capture = await startCapture({ out: 'traces', port: 0 })
 * // run the agent with OTEL_EXPORTER_OTLP_ENDPOINT=capture.url
 * await capture.close()
 */
export async function startCapture(options: CaptureOptions): Promise<Capture> {
  checkOptions(captureSchema, options, 'capture options')
  const { out, port = 4318, host = '127.0.0.1', redact = false, onReceived = () => {}, clock = systemClock } = options
  const edit = redact ? redactor(randomBytes(32)) : (request: object) => request
  const files = new SessionFiles(out, new Date(), clock, edit, (reason) => onReceived({ state: 'refused', reason }))
  const server = createServer((request, response) => {
    answer(request, response, files, onReceived).catch(() => response.destroy())
  })
  await listen(server, host, port)
  const address = server.address() as AddressInfo
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    get files() {
      return files.paths
    },
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      })
      files.flush()
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  files: SessionFiles,
  onReceived: (received: Received) => void,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  if (request.method !== 'POST' || !/\/v1\/(?:traces|logs|metrics)$/.test(path)) {
    reply(request, response, 404, 'Expected POST /v1/traces or /v1/logs.')
    return
  }
  try {
    const body = await bodyOf(request)
    const counts = { spans: 0, logs: 0 }
    // Metrics are taken, so that exporters of all three do not complain, and dropped.
    const documents = path.endsWith('/metrics') || body.length === 0 ? [] : readOtlpRequest(body, `POST ${path}`)
    for (const document of documents) {
      for (const item of itemsOf(document)) {
        files.add(item)
        counts[item.kind === 'span' ? 'spans' : 'logs']++
      }
    }
    onReceived({ state: 'taken', ...counts })
    reply(request, response, 200)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    onReceived({ state: 'refused', reason })
    reply(request, response, error instanceof TraceReplayError ? 400 : 500, reason)
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > MOST_BODY_BYTES) throw new TraceReplayError('UNREADABLE_TRACE', 'The export request is too large.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** In the form that the exporter speaks; an empty protobuf message has no bytes. */
function reply(request: IncomingMessage, response: ServerResponse, status: number, message?: string): void {
  const isProtobuf = request.headers['content-type']?.includes('protobuf') === true && message === undefined
  response.writeHead(status, { 'content-type': isProtobuf ? 'application/x-protobuf' : 'application/json' })
  response.end(isProtobuf ? '' : JSON.stringify(message === undefined ? {} : { message }))
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const hint =
        error.code === 'EADDRINUSE' ? ' Something else listens there, a collector perhaps; choose another with --port.' : ''
      reject(new TraceReplayError('CAPTURE', `Cannot listen on ${host}:${port}: ${error.message}.${hint}`, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
}
