import type { ExchangeError, FailureLabel } from './endpoint.ts'

/** How far the request had come. */
export type TransportPhase = 'connecting' | 'sent' | 'answered'

const CONNECT_FAILED: Readonly<Record<string, string>> = {
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'its network cannot be reached',
  EADDRNOTAVAIL: 'this machine has no free port left for another connection',
  EMFILE: "this process has no file descriptor left: raise `ulimit -n` or lower the stage's `concurrentSessions`",
  ENFILE: 'this machine has no file descriptor left',
  EACCES: 'this machine does not allow the connection',
  EPERM: 'this machine does not allow the connection',
}

/** Names what went wrong below HTTP, and says where and what to do about it. */
export function transportFailure(error: unknown, phase: TransportPhase, host: string): ExchangeError {
  const { code, message } = describe(error)
  const label = isParserError(error) ? labelOfParserError(message) : labelOf(code, message, phase)
  return { label, message: text(label, code, message, phase, host) }
}

function labelOf(code: string, message: string, phase: TransportPhase): FailureLabel {
  if (code === 'ECONNREFUSED') return 'connect_refused'
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return 'dns'
  if (isTls(code) || (phase === 'connecting' && /secure TLS connection/.test(message))) return 'tls'
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || /^bad (?:response|upgrade)$/.test(message)) return 'bad_response'
  if (phase !== 'connecting') return 'connection_reset'
  if (code === 'ETIMEDOUT') return 'connect_timeout'
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET' ? 'connection_reset' : 'connect_failed'
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
    case 'connect_failed':
      return `no connection to ${host}: ${CONNECT_FAILED[code] ?? message}${code === '' ? '' : ` (${code})`}.`
    case 'bad_response':
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

/** A name with several addresses fails with one error for all of them. */
function describe(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) }
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined
  const code = codeOf(error) || codeOf(inner)
  const message = error.message || (inner instanceof Error ? inner.message : '') || 'unknown error'
  return { code, message }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
