import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { httpFailure, type RequestFacts } from './http-failure.ts'

const facts = { url: 'http://h:1/v1/chat/completions', basePath: '/v1', model: 'llama', sentKey: false }

function message(
  status: number,
  body: string | Buffer = '',
  headers: Record<string, string> = {},
  more: Partial<RequestFacts> = {},
): string {
  const failure = httpFailure(status, headers, Buffer.from(body), { ...facts, ...more })
  expect(failure).toMatchObject({ label: `http_${status}`, status })
  return failure.message
}

test.each<[name: string, body: string, said: string]>([
  ['OpenAI', '{"error":{"message":"boom","type":"x","code":null}}', 'boom'],
  ['an error text', '{"error":"boom"}', 'boom'],
  ['a message', '{"object":"error","message":"boom"}', 'boom'],
  ['FastAPI', '{"detail":"boom"}', 'boom'],
  [
    'FastAPI on a wrong field',
    '{"detail":[{"loc":["body","temperature"],"msg":"must be positive","type":"v"},{"loc":["body"],"msg":"x"}]}',
    'body.temperature: must be positive; body: x',
  ],
  ['a list of errors', '{"errors":[{"message":"boom"}]}', 'boom'],
  ['a list around the error', '[{"error":{"code":400,"message":"boom"}}]', 'boom'],
  ['JSON of another shape', '{"code":7}', '{"code":7}'],
  [
    'an HTML page with a title',
    '<!DOCTYPE html><html><head><title> 502 Bad\nGateway </title></head><body>nginx</body></html>',
    '502 Bad Gateway',
  ],
  ['an HTML page without one', '<html><style>p{}</style><body><p>Bad <b>gateway</b></p></body></html>', 'Bad gateway'],
  ['text', 'upstream connect error\n', 'upstream connect error'],
])('what the body says is shown: %s', (_name, body, said) => {
  expect(message(500, body)).toBe(`POST http://h:1/v1/chat/completions answered 500 Internal Server Error: ${said}`)
})

test('a body of any length gives one short message', () => {
  expect(message(500, 'x'.repeat(100_000)).length).toBeLessThan(500)
  expect(message(500, JSON.stringify({ error: { message: 'x'.repeat(100_000) } })).length).toBeLessThan(600)
})

test('an empty body and a status without a name', () => {
  expect(message(503)).toBe('POST http://h:1/v1/chat/completions answered 503 Service Unavailable with an empty body')
  expect(message(599)).toBe('POST http://h:1/v1/chat/completions answered 599 with an empty body')
})

test('compressed bodies are read, broken ones are taken as empty', () => {
  const body = '{"error":"boom"}'
  expect(message(500, gzipSync(body), { 'content-encoding': 'gzip' })).toContain('boom')
  expect(message(500, brotliCompressSync(body), { 'content-encoding': 'br' })).toContain('boom')
  expect(message(500, gzipSync(body), { 'content-encoding': 'X-Gzip' })).toContain('boom')
  expect(message(500, body, { 'content-encoding': 'Identity' })).toContain('boom')
  expect(message(500, body, { 'content-encoding': '' })).toContain('boom')
  expect(message(500, body, { 'content-encoding': 'gzip' })).toContain('with an empty body')
  expect(message(500, gzipSync(Buffer.alloc(10_000_000)), { 'content-encoding': 'gzip' })).toContain('with an empty body')
  expect(message(500, Buffer.from('KLUv/QQ', 'base64'), { 'content-encoding': 'zstd' })).toContain('with an empty body')
  expect(message(500, body, { 'content-encoding': 'gzip, br' })).toContain('with an empty body')
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('a body in %s that breaks off says what it can', (coding, compress) => {
  const whole = compress(`out of memory ${Array.from({ length: 500 }, (_, k) => k * 7_919).join(' ')}`)
  expect(message(500, whole.subarray(0, whole.length / 2), { 'content-encoding': coding })).toContain(': out of memory 0 7919')
})

test('a missing model is told from a wrong path', () => {
  expect(message(404, 'Nothing here. Served: /v1/models, /v1/chat/completions.')).toContain('Check the path in `target.url`')
  expect(message(404, '{"error":{"message":"The model `llama` does not exist."}}')).toContain(
    "\nThe request asked for model 'llama': set `target.model`",
  )
  expect(message(404, '{"detail":"Not Found"}')).toContain("\nCheck the path in `target.url`: requests go below '/v1'.")
  expect(message(404)).toContain('Check the path')
  expect(message(405, '{"detail":"Method Not Allowed"}')).toContain('Check the path')
})

test('a refused key is a matter of the key', () => {
  expect(message(401, '{"error":"no"}')).toContain('\nNo key was sent: set `target.apiKey`.')
  expect(message(401, '{"error":"no"}', {}, { keyVariable: 'GATEWAY_KEY' })).toContain(
    '\nNo key was sent: the environment variable GATEWAY_KEY is not set. Set it, or `target.apiKey`.',
  )
  expect(message(403, '{"error":"no"}', {}, { sentKey: true })).toContain('\nCheck `target.apiKey`.')
})

test('a redirect names where it leads, without credentials or query', () => {
  const said = message(307, '', { location: 'https://me:pw@other/v1?key=1' })
  expect(said).toContain('It redirects to https://other/v1. Redirects are not followed: set `target.url`')
  expect(message(301)).toContain('It redirects. Redirects')
})

test('a rate limit says how long to wait', () => {
  expect(httpFailure(429, { 'retry-after': '7' }, Buffer.from('{"error":"slow down"}'), facts)).toMatchObject({
    label: 'http_429',
    retryAfterMs: 7_000,
    message: expect.stringContaining('slow down\nIt asks to wait 7s.'),
  })
  expect(httpFailure(429, {}, Buffer.alloc(0), facts)).not.toHaveProperty('retryAfterMs')
  expect(httpFailure(503, { 'retry-after': '1' }, Buffer.alloc(0), facts)).toMatchObject({ retryAfterMs: 1_000 })
})
