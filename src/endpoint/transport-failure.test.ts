import { errors } from 'undici'
import { expect, test } from 'vitest'
import type { FailureLabel } from './endpoint.ts'
import { type TransportPhase, transportFailure } from './transport-failure.ts'

function fault(code: string | undefined, message = 'something broke'): Error {
  return Object.assign(new Error(message), code !== undefined && { code })
}

test.each<[code: string | undefined, phase: TransportPhase, label: FailureLabel, message?: string]>([
  ['ECONNREFUSED', 'connecting', 'connect_refused'],
  ['ENOTFOUND', 'connecting', 'dns'],
  ['EAI_AGAIN', 'connecting', 'dns'],
  ['EAI_FAIL', 'connecting', 'dns'],
  ['EHOSTUNREACH', 'connecting', 'connect_failed'],
  ['ENETUNREACH', 'connecting', 'connect_failed'],
  ['EADDRNOTAVAIL', 'connecting', 'client_exhausted'],
  ['EMFILE', 'connecting', 'client_exhausted'],
  ['ENFILE', 'connecting', 'client_exhausted'],
  ['ENOBUFS', 'connecting', 'client_exhausted'],
  ['ETIMEDOUT', 'connecting', 'connect_timeout'],
  ['ECONNRESET', 'connecting', 'connection_reset'],
  ['ECONNRESET', 'connecting', 'tls', 'Client network socket disconnected before secure TLS connection was established'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'connecting', 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'connecting', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'connecting', 'tls'],
  ['CERT_HAS_EXPIRED', 'connecting', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'connecting', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'connecting', 'tls'],
  ['EPROTO', 'connecting', 'tls'],
  [undefined, 'connecting', 'connect_failed'],
  ['ECONNRESET', 'sent', 'connection_reset'],
  ['EPIPE', 'sent', 'connection_reset'],
  ['ETIMEDOUT', 'sent', 'connection_reset'],
  ['UND_ERR_SOCKET', 'sent', 'connection_reset', 'other side closed'],
  ['UND_ERR_SOCKET', 'answered', 'connection_reset', 'other side closed'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'answered', 'connection_reset'],
  ['UND_ERR_HEADERS_OVERFLOW', 'sent', 'bad_response'],
  ['UND_ERR_SOCKET', 'sent', 'bad_response', 'bad response'],
])('%s while %s is %s', (code, phase, label, message) => {
  const failure = transportFailure(fault(code, message), phase, 'h:1')
  expect(failure.label).toBe(label)
  expect(failure.message).toContain('h:1')
})

test.each<[reason: string, label: FailureLabel]>([
  ['Invalid EOF state', 'connection_reset'],
  ['Expected HTTP/', 'bad_response'],
  ['Invalid character in chunk size', 'bad_response'],
])('a response that the parser refuses with "%s" is %s', (reason, label) => {
  const error = new errors.HTTPParserError(`Response does not match the HTTP/1.1 protocol (${reason})`)
  expect(transportFailure(error, 'answered', 'h:1').label).toBe(label)
})

test('a name with several addresses fails with the reason of the first', () => {
  const failure = transportFailure(
    new AggregateError([fault('ECONNREFUSED'), fault('ECONNREFUSED')]),
    'connecting',
    'localhost:1',
  )
  expect(failure.label).toBe('connect_refused')
})

test('of several addresses one that was refused says more than one that cannot be reached', () => {
  const unreachable = Object.assign(fault('EADDRNOTAVAIL'), { address: '::1' })
  const failure = transportFailure(new AggregateError([unreachable, fault('ECONNREFUSED')]), 'connecting', 'localhost:1')
  expect(failure.label).toBe('connect_refused')
})

test('a machine without an address of the kind is not out of ports', () => {
  const failure = transportFailure(Object.assign(fault('EADDRNOTAVAIL'), { address: '::1' }), 'connecting', '[::1]:1')
  expect(failure).toEqual({
    label: 'connect_failed',
    message: 'no connection to [::1]:1: this machine has no address from which to reach it (EADDRNOTAVAIL).',
  })
})

test('whatever is thrown gets a message', () => {
  for (const thrown of [undefined, null, 'text', {}, new Error(), new AggregateError([])]) {
    expect(transportFailure(thrown, 'sent', 'h:1').message).toMatch(/^h:1 closed the connection before any answer \(.+\)\.$/)
  }
})

test('it says when it broke and what to do', () => {
  expect(transportFailure(fault('ECONNREFUSED'), 'connecting', 'h:1').message).toBe(
    'h:1 refuses connections: is the server running, and is that its port?',
  )
  expect(transportFailure(fault('EMFILE'), 'connecting', 'h:1').message).toContain('ulimit -n')
  expect(transportFailure(fault('UND_ERR_SOCKET', 'other side closed'), 'answered', 'h:1').message).toContain(
    'in the middle of its answer',
  )
})
