import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../base/index.ts'
import { createEndpoint } from './create-endpoint.ts'
import type { Endpoint, EndpointRequest, Exchange } from './endpoint.ts'
import { httpServer, type LocalServer, rawServer } from './local-server.fixture.ts'
import { resolveTarget } from './resolve-target.ts'
import type { TargetOptions } from './target.ts'

/** An endpoint that is closed with the test. */
export function endpointAt(url: string, options: Partial<TargetOptions> = {}, clock: Clock = systemClock): Endpoint {
  const endpoint = createEndpoint(resolveTarget({ kind: 'vllm', url, ...options }, {}), { clock })
  onTestFinished(() => endpoint.close())
  return endpoint
}

/** A call whose time limits no test reaches by itself. */
export function request(more: Partial<EndpointRequest> = {}): EndpointRequest {
  return {
    model: 'asked',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    tools: [],
    params: {},
    stream: true,
    timeouts: { connectMs: 60_000, firstTokenMs: 60_000, idleMs: 60_000, callMs: 60_000 },
    ...more,
  }
}

/** What came of an exchange in one line: `ok: Hello` or `http_500: …`. */
export function seen({ result }: Exchange): string {
  if (result.state === 'failed') return `${result.error.label}: ${result.error.message}`
  return `ok: ${result.message.parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('')}`
}

/** Answers every request with these bytes; `after` says what becomes of the socket then. */
export function bytesServer(bytes: string | Buffer, after: (socket: Socket) => void = () => {}): Promise<LocalServer> {
  return rawServer((socket) => socket.write(bytes, () => after(socket)))
}

/** Answers every request with this body. */
export function bodyServer(body: string, type = 'text/event-stream'): Promise<LocalServer> {
  return httpServer((_request, response) => response.writeHead(200, { 'content-type': type }).end(body))
}
