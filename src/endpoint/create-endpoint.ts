import type { Clock, Warn } from '../base/index.ts'
import { AfterReads } from './after-reads.ts'
import { ConnectionPool } from './connection.ts'
import type { Endpoint, EndpointRequest, Exchange } from './endpoint.ts'
import { InFlight } from './in-flight.ts'
import { openWireApi } from './open-wire-api.ts'
import { type ExchangeContext, PendingExchange } from './pending-exchange.ts'
import { mergeHeaders } from './request-headers.ts'
import type { Target } from './target.ts'

export interface EndpointDependencies {
  /** Times of exchanges are its `now()`, and timeouts run on it. */
  readonly clock: Clock
  /** Told what had to be changed for the server to take it. @default ignored */
  readonly warn?: Warn
}

/**
 * An inference server, ready to take requests. Each request in flight has a connection of its own; none is retried and no
 * redirect is followed: either would hide what is measured.
 *
 * @example
 * const endpoint = createEndpoint(resolveTarget({ kind: 'vllm', url }, process.env), { clock: systemClock })
 * const exchange = await endpoint.send(request)
 * await endpoint.close()
 */
export function createEndpoint(target: Target, { clock, warn = () => {} }: EndpointDependencies): Endpoint {
  const api = openWireApi(target, warn)
  const path = `${target.basePath}${api.path}${target.query}`
  const url = `${target.origin}${target.basePath}${api.path}`
  const ownHeaders = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    'user-agent': 'vitest-trace-replay',
    ...api.headers,
  }
  const headers = mergeHeaders(ownHeaders, target.headers)
  const headersOf = (request: EndpointRequest): string[] =>
    request.headers === undefined ? headers : mergeHeaders(ownHeaders, target.headers, request.headers)
  const pool = new ConnectionPool(target.origin, target)
  const inFlight = new InFlight<PendingExchange>()
  let closed = false

  const context: ExchangeContext = {
    clock,
    afterReads: new AfterReads(),
    host: new URL(target.origin).host,
    facts: {
      url,
      basePath: target.basePath,
      sentKey: target.secrets.length > 0,
      ...(target.unsetKeyVariable !== undefined && { keyVariable: target.unsetKeyVariable }),
    },
    secrets: target.secrets,
    ...(target.sessionTokenHeader !== undefined && { sessionTokenHeader: target.sessionTokenHeader }),
    onSettled: (exchange) => inFlight.remove(exchange, exchange.signal),
  }

  return {
    send(request) {
      const queuedMs = clock.now()
      if (closed || request.signal?.aborted === true) return Promise.resolve(neverSent(queuedMs, closed))
      const body = api.encode(request)
      const channel = pool.acquire()
      const exchange = new PendingExchange(context, request, channel, api.openResponse(request), queuedMs)
      inFlight.add(exchange, request.signal)
      channel.dispatch({ path, method: 'POST', headers: headersOf(request), body }, exchange)
      return exchange.result
    },
    async close() {
      closed = true
      inFlight.abortAll()
      await pool.close()
    },
  }
}

function neverSent(atMs: number, closed: boolean): Exchange {
  const message = closed ? 'the endpoint is closed' : 'the request was aborted before it was sent'
  return {
    result: { state: 'failed', error: { label: 'aborted', message } },
    queuedMs: atMs,
    sentMs: null,
    outputTimesMs: [],
    endMs: atMs,
    usage: null,
  }
}
