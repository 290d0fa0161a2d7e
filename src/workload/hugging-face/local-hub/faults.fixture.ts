import type { IncomingMessage, ServerResponse } from 'node:http'

/** What a server may do instead of its work. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** Sends that much of the body, then nothing more; the connection stays open. */
  | { readonly kind: 'stall'; readonly afterBytes: number }
  /** Sends that much of the body, then closes the connection. */
  | { readonly kind: 'cut'; readonly afterBytes: number; readonly ignoreRange?: boolean }
  | { readonly kind: 'redirect'; readonly to: string }
  /** Sends other bytes of the same length. */
  | { readonly kind: 'garble' }
  | { readonly kind: 'ignore-range' }
  /** Answers as usual, but only once `until` is settled. */
  | { readonly kind: 'wait'; readonly until: Promise<void> }

interface Planned {
  /** On `hub GET /api/…` and `storage GET /objects/…`. */
  readonly matches: RegExp
  readonly fault: Fault
  left: number
}

/** Faults to come, in the order they were asked for. */
export class FaultPlan {
  readonly #planned: Planned[] = []

  add(matches: RegExp, fault: Fault, times: number): void {
    this.#planned.push({ matches, fault, left: times })
  }

  take(line: string): Fault | undefined {
    const found = this.#planned.find(({ matches, left }) => left > 0 && matches.test(line))
    if (found === undefined) return undefined
    found.left--
    return found.fault
  }
}

export type Handler = (request: IncomingMessage, body: Buffer, fault: Fault | undefined) => Answer | Promise<Answer>

export interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: Uint8Array | string
}

/** Sends an answer, or what a fault makes of it. */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  fault: Fault | undefined,
): Promise<void> {
  if (fault?.kind === 'status') return end(request, response, { body: '', ...fault })
  if (fault?.kind === 'redirect') return end(request, response, { status: 302, headers: { location: fault.to } })
  if (fault?.kind === 'wait') await fault.until
  if (fault?.kind === 'garble') return end(request, response, { ...answer, body: Buffer.alloc(bytesOf(answer).length, 'x') })
  if (fault?.kind !== 'stall' && fault?.kind !== 'cut') return end(request, response, answer)
  const bytes = bytesOf(answer)
  response.writeHead(answer.status, { ...answer.headers, 'content-length': String(bytes.length) })
  // What stands in the socket's buffer must be out before the connection is cut.
  await new Promise<void>((resolve) => {
    response.flushHeaders()
    response.write(bytes.subarray(0, fault.afterBytes), () => resolve())
  })
  if (fault.kind === 'cut') response.destroy()
}

function end(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const bytes = bytesOf(answer)
  const isChunked = answer.headers?.['transfer-encoding'] !== undefined
  response.writeHead(answer.status, { ...(isChunked ? {} : { 'content-length': String(bytes.length) }), ...answer.headers })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

function bytesOf({ body = '' }: Answer): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
}
