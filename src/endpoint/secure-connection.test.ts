import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AUTHORITY, CLIENT_CERT, CLIENT_KEY, EXPIRED_CERT, EXPIRED_KEY, SERVER_CERT, SERVER_KEY } from './certificates.fixture.ts'
import { streamOf } from './chat-stream.fixture.ts'
import { endpointAt, request, seen } from './endpoint.fixture.ts'
import { resolveTarget } from './resolve-target.ts'

const identity = { cert: SERVER_CERT, key: SERVER_KEY }

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function httpsServer(more: object = {}): Promise<string> {
  return listening(createServer({ ...identity, ...more }, (_request, response) => response.end(streamOf('Hello'))))
}

test('a server of an unknown authority is refused, of a known one not', async () => {
  const url = await httpsServer()
  expect(seen(await endpointAt(url).send(request()))).toMatch(/^tls: /)
  expect(seen(await endpointAt(url, { tls: { ca: AUTHORITY } }).send(request()))).toBe('ok: Hello')
  expect(seen(await endpointAt(url, { tls: { verify: false } }).send(request()))).toBe('ok: Hello')
})

test('the name in the certificate counts', async () => {
  const url = await httpsServer()
  const called = (serverName: string) => endpointAt(url, { tls: { ca: AUTHORITY, serverName } }).send(request())
  expect(seen(await called('model.test'))).toBe('ok: Hello')
  expect(seen(await called('other.test'))).toMatch(/^tls: /)
})

test('a certificate that has expired is refused, however well known its authority', async () => {
  const url = await httpsServer({ cert: EXPIRED_CERT, key: EXPIRED_KEY })
  const exchange = await endpointAt(url, { tls: { ca: EXPIRED_CERT } }).send(request())
  expect(seen(exchange)).toMatch(/^tls: no secure connection to 127\.0\.0\.1:\d+ \(certificate has expired, CERT_HAS_EXPIRED\)/)
  expect(exchange.sentMs).toBeNull()
})

test('a server that wants to know who calls is told, from text or files', async () => {
  const url = await httpsServer({ ca: AUTHORITY, requestCert: true, rejectUnauthorized: true })
  const folder = mkdtempSync(join(tmpdir(), 'tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  expect((await endpointAt(url, { tls: { ca: AUTHORITY } }).send(request())).result.state).toBe('failed')
  const tls = { ca: AUTHORITY, cert: CLIENT_CERT, key: CLIENT_KEY }
  expect(seen(await endpointAt(url, { tls }).send(request()))).toBe('ok: Hello')
  const files = { ca: file('ca', AUTHORITY), cert: file('cert', CLIENT_CERT), key: file('key', CLIENT_KEY) }
  expect(seen(await endpointAt(url, { tls: files }).send(request()))).toBe('ok: Hello')
})

test('HTTP/2 where it is asked for and offered: several requests, one after the other and at once', async () => {
  const versions: string[] = []
  const server = createSecureServer({ ...identity, allowHTTP1: true }, (message, response) => {
    versions.push(message.httpVersion)
    message.resume().on('end', () => response.end(streamOf('Hello')))
  })
  const url = await listening(server)
  const tls = { ca: AUTHORITY }
  const endpoint = endpointAt(url, { tls, http2: true })
  const exchange = await endpoint.send(request())
  expect(seen(exchange)).toBe('ok: Hello')
  expect(exchange.sentMs).not.toBeNull()
  const both = await Promise.all([endpoint.send(request()), endpoint.send(request())])
  expect(both.map(seen)).toEqual(['ok: Hello', 'ok: Hello'])
  expect(seen(await endpointAt(url, { tls }).send(request()))).toBe('ok: Hello')
  expect(versions).toEqual(['2.0', '2.0', '2.0', '1.1'])
  expect(seen(await endpointAt(await httpsServer(), { tls, http2: true }).send(request()))).toBe('ok: Hello')
})

test('a connection for each request, where that is wanted', async () => {
  const ports = new Set<number | undefined>()
  const server = createServer(identity, (message, response) => {
    ports.add(message.socket.remotePort)
    response.end(streamOf('Hello'))
  })
  const url = await listening(server)
  const once = endpointAt(url, { tls: { ca: AUTHORITY }, keepAlive: false })
  expect([seen(await once.send(request())), seen(await once.send(request()))]).toEqual(['ok: Hello', 'ok: Hello'])
  expect(ports.size).toBe(2)
  const kept = endpointAt(url, { tls: { ca: AUTHORITY } })
  await kept.send(request())
  await kept.send(request())
  expect(ports.size).toBe(3)
})

test.each<[name: string, tls: unknown, message: string]>([
  ['a certificate without its key', { cert: CLIENT_CERT }, '`cert` and `key` go together'],
  ['a file that is not there', { ca: '/nowhere/ca.pem' }, 'ENOENT'],
  ['a file that holds something else', { ca: '/dev/null' }, 'no PEM text'],
  ['the key of another certificate', { cert: CLIENT_CERT, key: SERVER_KEY }, 'target.tls: cannot be used (error:05800074'],
  [
    'a key in the place of a certificate',
    { cert: CLIENT_KEY, key: CLIENT_KEY },
    'Expected PEM of certificates in `ca` and `cert`',
  ],
  ['an authority that is none', { ca: CLIENT_KEY }, '`ca` holds no whole certificate'],
  ['an authority that was cut', { ca: AUTHORITY.slice(0, 200) }, '`ca` holds no whole certificate'],
  ['an authority that was garbled', { ca: AUTHORITY.replace('MII', 'MAA') }, 'target.tls: cannot be used'],
  ['a key that is no text', { cert: CLIENT_CERT, key: 5 }, 'expected PEM text'],
  ['an unknown option', { Ca: AUTHORITY }, 'ca'],
])('%s is told', (_name, tls, message) => {
  const options = { kind: 'vllm', url: 'https://h', tls } as Parameters<typeof resolveTarget>[0]
  expect(() => resolveTarget(options, {})).toThrow(message)
})

test('several authorities, with words between them, are taken', () => {
  const ca = `first\n${AUTHORITY}\nsecond\r\n${SERVER_CERT.replaceAll('\n', '\r\n')}`
  expect(resolveTarget({ kind: 'vllm', url: 'https://h', tls: { ca } }, {}).tls?.ca).toBe(ca)
})

test('certificates want https', () => {
  expect(() => resolveTarget({ kind: 'vllm', url: 'http://h', tls: { ca: AUTHORITY } }, {})).toThrow('want an https URL')
})
