import type { ExchangeError, FailureLabel } from './endpoint.ts'

/** How far the request had come. */
export type TransportPhase = 'connecting' | 'sent' | 'answered'

const CONNECT_FAILED: Readonly<Record<string, string>> = {
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'its network cannot be reached',
  EADDRNOTAVAIL: 'this machine has no address from which to reach it',
  EACCES: 'this machine does not allow the connection',
  EPERM: 'this machine does not allow the connection',
}

/** What the client ran out of: that says nothing of the server. */
const EXHAUSTED: Readonly<Record<string, string>> = {
  EMFILE: "this process has no file descriptor left: raise `ulimit -n` or lower the stage's `concurrentSessions`",
  ENFILE: "this machine has no file descriptor left: lower the stage's `concurrentSessions`",
  EADDRNOTAVAIL: "this machine has no free port left for another connection: lower the stage's `concurrentSessions`",
  ENOBUFS: "this machine has no memory left for another connection: lower the stage's `concurrentSessions`",
  ENOMEM: "this machine has no memory left for another connection: lower the stage's `concurrentSessions`",
}

/** Names what went wrong below HTTP, and says where and what to do about it. */
export function transportFailure(error: unknown, phase: TransportPhase, host: string): ExchangeError {
  const { code, message, overIPv6 } = describe(error)
  const label = isParserError(error) ? labelOfParserError(message) : labelOf(code, message, overIPv6, phase)
  return { label, message: text(label, code, message, phase, host) }
}

function labelOf(code: string, message: string, overIPv6: boolean, phase: TransportPhase): FailureLabel {
  if (code === 'ECONNREFUSED') return 'connect_refused'
  if (phase === 'connecting' && isExhausted(code, overIPv6)) return 'client_exhausted'
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return 'dns'
  if (isTls(code) || (phase === 'connecting' && /secure TLS connection/.test(message))) return 'tls'
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || /^bad (?:response|upgrade)$/.test(message)) return 'bad_response'
  if (phase !== 'connecting') return 'connection_reset'
  if (code === 'ETIMEDOUT') return 'connect_timeout'
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET' ? 'connection_reset' : 'connect_failed'
}

/** Over IPv6 a machine that does not speak it has no address at all, let alone a port. */
function isExhausted(code: string, overIPv6: boolean): boolean {
  return code in EXHAUSTED && !(code === 'EADDRNOTAVAIL' && overIPv6)
}

/** The parser's code is not always set; its name is. */
function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError'
}

function labelOfParserError(message: string): FailureLabel {
  return /EOF/.test(message) ? 'connection_reset' : 'bad_response'
}

function isTls(code: string): boolean {
  return code === 'EPROTO' || /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_)|SELF_SIGNED|HOSTNAME_MISMATCH/.test(code)
}

function text(label: FailureLabel, code: string, message: string, phase: TransportPhase, host: string): string {
  const detail = code === '' ? message : message.includes(code) ? message : `${message}, ${code}`
  switch (label) {
    case 'connect_refused':
      return `${host} refuses connections: is the server running, and is that its port?`
    case 'dns':
      return `the name in ${host} cannot be resolved (${code}): check \`target.url\`.`
    case 'tls':
      return `no secure connection to ${host} (${detail}): does the server speak https, and is its certificate trusted here?`
    case 'connect_timeout':
      return `no connection to ${host}: it did not answer in time (${code}).`
    case 'client_exhausted':
      return `no connection to ${host}: ${EXHAUSTED[code]} (${code}).`
    case 'connect_failed':
      return `no connection to ${host}: ${CONNECT_FAILED[code] ?? message}${code === '' ? '' : ` (${code})`}.`
    case 'bad_response':
      if (message === 'bad response') return `${host} answered 100 Continue, for which nothing asked.`
      if (message === 'bad upgrade') return `${host} answered that it speaks another protocol, for which nothing asked.`
      return `${host} does not answer in HTTP/1.1 (${detail}): check \`target.url\`.`
    default: {
      const when = {
        connecting: 'before the request was sent',
        sent: 'before any answer',
        answered: 'in the middle of its answer',
      }[phase]
      return `${host} closed the connection ${when} (${detail}).`
    }
  }
}

/**
 * A name with several addresses fails with one error for all of them. One that was refused says more than those that could
 * not be reached.
 */
function describe(error: unknown): { readonly code: string; readonly message: string; readonly overIPv6: boolean } {
  if (!(error instanceof Error)) return { code: '', message: String(error), overIPv6: false }
  const each: readonly unknown[] = error instanceof AggregateError ? error.errors : []
  const cause = each.find((one) => fieldOf(one, 'code') === 'ECONNREFUSED') ?? each[0] ?? error
  const code = fieldOf(cause, 'code') || fieldOf(error, 'code')
  const message = error.message || (cause instanceof Error ? cause.message : '') || 'unknown error'
  return { code, message, overIPv6: fieldOf(cause, 'address').includes(':') }
}

function fieldOf(error: unknown, name: 'code' | 'address'): string {
  if (!(error instanceof Error)) return ''
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' ? value : ''
}
