import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Clock } from '../base/index.ts'
import { ApiError, errorBody } from './api-error.ts'
import type { ApiFormat } from './api-format.ts'
import { isObject, type JsonObject, kindOf } from './body-fields.ts'
import type { CompletionHandler } from './completion-handler.ts'
import type { Connections, HttpExchange } from './connections.ts'
import type { SimulatorSettings } from './options.ts'
import type { LoggedRequest, RequestLog } from './request-log.ts'

/** Longer than the pools of common clients keep an idle connection, so that it is never us who closes one about to be used. */
const KEEP_ALIVE_MS = 75_000

export interface HttpServerParts {
  readonly settings: SimulatorSettings
  readonly clock: Clock
  readonly log: RequestLog
  readonly connections: Connections
  readonly completions: CompletionHandler
  /** In Prometheus' text format. */
  readonly metrics: () => string
  readonly formats: readonly ApiFormat[]
}

/** The HTTP side: paths, methods, credentials, bodies; what is wrong there never reaches the model. */
export function createHttpServer(parts: HttpServerParts): Server {
  const { clock, connections, log } = parts
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    const entry = log.open(request.method ?? '', path, request.headers, clock.now())
    const exchange = connections.begin(request, response)
    exchange.whenOver(() => {
      entry.endedMs = clock.now()
      entry.status = response.headersSent ? response.statusCode : null
      entry.outcome = outcomeOf(response, entry)
    })
    // A client that goes away is no error of ours.
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    const format = parts.formats.find((candidate) => candidate.path === path)
    route(parts, path, format, exchange, entry).catch((error: unknown) =>
      sendError(response, error, format?.errorBody ?? errorBody),
    )
  })
  server.on('connection', (socket) => connections.add(socket))
  server.keepAliveTimeout = KEEP_ALIVE_MS
  return server
}

function outcomeOf(response: ServerResponse, entry: LoggedRequest): LoggedRequest['outcome'] {
  const breaksOff = entry.fault === 'cut' || entry.fault === 'stream-error'
  if (breaksOff && response.headersSent) return 'broken'
  return response.writableFinished ? 'answered' : 'disconnected'
}

async function route(
  parts: HttpServerParts,
  path: string,
  format: ApiFormat | undefined,
  exchange: HttpExchange,
  entry: LoggedRequest,
): Promise<void> {
  const { request, response } = exchange
  if (path === '/health') {
    allow(request, 'GET')
    return sendJson(response, 200, {})
  }
  // As on the servers it stands for, no key is asked for.
  if (path === '/metrics') {
    allow(request, 'GET')
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(parts.metrics())
    return
  }
  checkCredentials(parts.settings.apiKey, request)
  if (path === '/v1/models') {
    allow(request, 'GET')
    return sendJson(response, 200, modelList(parts.settings))
  }
  if (format === undefined) {
    const paths = ['/v1/models', '/health', '/metrics', ...parts.formats.map((known) => known.path)].join(', ')
    throw new ApiError(404, `Nothing is served at '${path}'. Served: ${paths}.`, { code: 'not_found' })
  }
  allow(request, 'POST')
  checkContentType(request)
  const { body, bytes } = await readJson(request, parts.settings.maxBodyBytes)
  parts.log.keepBody(entry, body, bytes)
  if (!request.socket.destroyed) parts.completions.handle(format, body, exchange, entry)
}

function allow(request: IncomingMessage, method: string): void {
  if (request.method === method) return
  throw new ApiError(405, `${request.method} is not allowed here: use ${method}.`, {
    code: 'method_not_allowed',
    headers: { allow: method },
  })
}

function checkCredentials(apiKey: string | undefined, request: IncomingMessage): void {
  const { authorization, 'x-api-key': key } = request.headers
  if (apiKey === undefined || authorization === `Bearer ${apiKey}` || key === apiKey) return
  const found = (authorization ?? key) === undefined ? 'No API key was sent' : 'The API key sent is not the right one'
  throw new ApiError(401, `${found}: expected 'Authorization: Bearer <key>' or 'x-api-key: <key>'.`, {
    code: 'invalid_api_key',
    headers: { 'www-authenticate': 'Bearer' },
  })
}

function checkContentType(request: IncomingMessage): void {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new ApiError(415, `The body must be sent as 'application/json', but its content type is ${kindOf(type)}.`)
  }
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new ApiError(415, `The body must not be encoded, but is ${kindOf(encoding)}.`)
}

async function readJson(request: IncomingMessage, maxBytes: number): Promise<{ body: JsonObject; bytes: number }> {
  const buffer = await readBody(request, maxBytes)
  let body: unknown
  try {
    body = JSON.parse(buffer.toString('utf8'))
  } catch (error) {
    throw new ApiError(400, `The body is not JSON: ${error instanceof Error ? error.message : String(error)}`, {
      code: 'invalid_json',
    })
  }
  if (!isObject(body)) {
    throw new ApiError(400, `The body must be a JSON object, but is ${kindOf(body)}.`, { code: 'invalid_type' })
  }
  return { body, bytes: buffer.length }
}

/** What is too long is still taken from the connection, unread, so that the client comes to read the answer. */
function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBytes) {
        chunks.push(chunk)
        return
      }
      chunks.length = 0
      reject(new ApiError(413, `The body is longer than the ${maxBytes} bytes allowed.`, { headers: { connection: 'close' } }))
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
  })
}

function modelList(settings: SimulatorSettings): Record<string, unknown> {
  const models = settings.models ?? ['simulator']
  const data = models.map((id) => ({
    id,
    object: 'model',
    created: 0,
    owned_by: 'vitest-trace-replay',
    max_model_len: settings.contextTokens,
  }))
  return { object: 'list', data }
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function sendError(response: ServerResponse, error: unknown, bodyOf: ApiFormat['errorBody']): void {
  if (response.destroyed || response.headersSent) {
    response.destroy()
    return
  }
  const known = error instanceof ApiError ? error : new ApiError(500, `The simulator failed: ${String(error)}`)
  sendJson(response, known.status, bodyOf(known), known.headers)
}
