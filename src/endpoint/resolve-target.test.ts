import { describe, expect, test } from 'vitest'
import { resolveTarget } from './resolve-target.ts'
import type { TargetOptions } from './target.ts'

const SECRET = 'sk-very-secret-1234'
const url = 'http://127.0.0.1:8000'

function resolve(options: unknown, env: Record<string, string> = {}) {
  return resolveTarget(options as TargetOptions, env)
}

function messageOf(options: unknown, env: Record<string, string> = {}): string {
  try {
    resolve(options, env)
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_OPTION' })
    return (error as Error).message
  }
  throw new Error('was accepted')
}

describe('url', () => {
  test.each<[written: string, url: string, query?: string]>([
    ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/v1'],
    ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000/v1'],
    ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
    ['http://127.0.0.1:8000/v1/', 'http://127.0.0.1:8000/v1'],
    ['HTTP://Example.COM:80/V1x', 'http://example.com/V1x/v1'],
    ['https://example.com/team/a', 'https://example.com/team/a/v1'],
    ['https://example.com/team/a/v1//', 'https://example.com/team/a/v1'],
    ['https://example.com/v1beta/openai/', 'https://example.com/v1beta/openai'],
    ['https://example.com/api/v4', 'https://example.com/api/v4'],
    ['http://127.0.0.1:8000/v1/chat/completions', 'http://127.0.0.1:8000/v1'],
    ['https://example.com/chat/completions', 'https://example.com'],
    ['https://example.com/v1?api-version=2', 'https://example.com/v1', '?api-version=2'],
    ['http://[::1]:8000', 'http://[::1]:8000/v1'],
    [' http://127.0.0.1:8000\n', 'http://127.0.0.1:8000/v1'],
  ])('%s', (written, expected, query = '') => {
    const target = resolve({ kind: 'vllm', url: written })
    expect([target.url, target.query]).toEqual([expected, query])
    expect(`${target.origin}${target.basePath}`).toBe(expected)
  })

  test.each<[written: unknown, message: string]>([
    [
      undefined,
      "target.url: is missing, expected the server's base URL such as 'http://127.0.0.1:8000'. If it comes from an environment variable, is that set?",
    ],
    ['', 'target.url: is missing'],
    [8000, "target.url: is a number, expected text such as 'http://127.0.0.1:8000'."],
    [null, 'target.url: is null'],
    ['localhost:8000', "target.url: 'localhost:8000' is not an http or https URL. Did you mean 'http://localhost:8000'?"],
    [
      '127.0.0.1:8000/v1?key=x',
      "target.url: '127.0.0.1:8000/v1' is not an http or https URL. Did you mean 'http://127.0.0.1:8000/v1'?",
    ],
    ['//example.com', "target.url: '//example.com' is not an http or https URL. Did you mean 'http://example.com'?"],
    ['ftp://example.com', "target.url: 'ftp://example.com' is not an http or https URL."],
    ['http://', "target.url: 'http://' is not an http or https URL."],
    ['http://a b', "target.url: 'http://a b' is not an http or https URL."],
  ])('%j is refused', (written, message) => {
    expect(messageOf({ kind: 'vllm', url: written })).toContain(message)
  })

  test.each([
    `http://me:${SECRET}@example.com`,
    `http://${SECRET}@example.com/v1`,
    `me:${SECRET}@example.com`,
    `ftp://me:${SECRET}@example.com`,
    `http://me:${SECRET}@[`,
  ])('credentials are refused and not shown: %s', (written) => {
    const message = messageOf({ kind: 'vllm', url: written })
    expect(message).toContain('target.url')
    expect(message).not.toContain(SECRET)
  })
})

describe('options', () => {
  test('every default is set', () => {
    expect(resolve({ kind: 'vllm', url })).toMatchObject({
      kind: 'vllm',
      headers: {},
      body: {},
      dialect: { maxTokensField: 'max_tokens', forcesOutputLength: true },
      timeouts: { connectMs: 10_000, firstTokenMs: 300_000, idleMs: 60_000, callMs: 900_000 },
      secrets: [],
    })
    expect(resolve({ kind: 'openai', url }).dialect).toMatchObject({
      maxTokensField: 'max_completion_tokens',
      forcesOutputLength: false,
    })
    expect(resolve({ kind: 'openai', url, maxTokensField: 'max_tokens' }).dialect).toMatchObject({
      maxTokensField: 'max_tokens',
      forcesOutputLength: false,
    })
  })

  test('timeouts are milliseconds or durations, and 0 switches one off', () => {
    expect(resolve({ kind: 'vllm', url, timeouts: { connect: 5, firstToken: '2s', idle: 0, call: '0s' } }).timeouts).toEqual({
      connectMs: 5,
      firstTokenMs: 2_000,
      idleMs: Number.POSITIVE_INFINITY,
      callMs: Number.POSITIVE_INFINITY,
    })
  })

  test.each<[options: unknown, message: string]>([
    [undefined, 'target: expected an object'],
    ['http://127.0.0.1:8000', 'target: expected an object'],
    [{ url }, '`kind` is missing'],
    [{ kind: 'vlm', url }, "'llama.cpp' | 'simulator'. Did you mean 'vllm'?"],
    [{ kind: 'vllm', url, modle: 'm' }, 'unknown option `modle`. Did you mean `model`?'],
    [{ kind: 'vllm', url, model: '' }, 'expected the name of a model'],
    [{ kind: 'vllm', url, timeouts: { idel: 1 } }, 'unknown option `timeouts.idel`. Did you mean `idle`?'],
    [{ kind: 'vllm', url, timeouts: { idle: '45 parsecs' } }, 'target.timeouts.idle: "45 parsecs" is not a duration'],
    [{ kind: 'vllm', url, timeouts: { idle: -1 } }, 'target.timeouts.idle: -1 is not a duration'],
    [{ kind: 'vllm', url, body: [] }, '`body`'],
    [{ kind: 'vllm', url, body: { messages: [] } }, 'target.body: `messages` come from the trace'],
    [{ kind: 'vllm', url, headers: { 'bad name': 'x' } }, 'target.headers: "bad name" is not a header name'],
    [{ kind: 'vllm', url, headers: { 'Content-Length': '1' } }, 'target.headers: `Content-Length` is set by the connection'],
    [{ kind: 'vllm', url, headers: { 'X-A': '1', 'x-a': '2' } }, 'target.headers: `x-a` is given twice'],
  ])('%j is refused', (options, message) => {
    expect(messageOf(options)).toContain(message)
  })
})

test('a body that is no JSON is refused', () => {
  const found = (n: unknown) => messageOf({ kind: 'vllm', url, body: { deep: [{ n }] } })
  expect(found(1n)).toContain('target.body: `n` is a bigint, which JSON cannot hold.')
  expect(found(Number.NaN)).toContain('`n` is NaN')
  expect(found(() => 1)).toContain('`n` is a function')
  const round: Record<string, unknown> = {}
  round.again = round
  expect(messageOf({ kind: 'vllm', url, body: round })).toContain('target.body: cannot be written as JSON: Converting circular')
})

describe('key', () => {
  test('comes from the option, else from the environment of its kind', () => {
    expect(resolve({ kind: 'vllm', url, apiKey: ` ${SECRET}\n` }).headers.authorization).toBe(`Bearer ${SECRET}`)
    expect(resolve({ kind: 'openai', url }, { OPENAI_API_KEY: SECRET }).headers.authorization).toBe(`Bearer ${SECRET}`)
    expect(resolve({ kind: 'openai', url, apiKey: 'own' }, { OPENAI_API_KEY: SECRET }).headers.authorization).toBe('Bearer own')
    expect(resolve({ kind: 'vllm', url }, { OPENAI_API_KEY: SECRET }).headers).not.toHaveProperty('authorization')
    expect(resolve({ kind: 'openai', url }, { OPENAI_API_KEY: '' }).headers).not.toHaveProperty('authorization')
  })

  test('an authorization header of the user wins', () => {
    const target = resolve({ kind: 'openai', url, headers: { Authorization: 'Basic abc' } }, { OPENAI_API_KEY: SECRET })
    expect(target.headers).toEqual({ authorization: 'Basic abc' })
    expect(target.secrets).toEqual(expect.arrayContaining([SECRET, 'Basic abc', 'abc']))
  })

  test('what must not be shown is known wherever it was given', () => {
    const { secrets } = resolve({
      kind: 'vllm',
      url: `${url}/v1?api_key=q-secret&v=1`,
      headers: { 'X-Api-Key': 'h-secret', 'x-team': 'agents' },
    })
    expect([...secrets].sort()).toEqual(['h-secret', 'q-secret'])
  })

  test.each<[name: string, options: object, env?: Record<string, string>]>([
    ['a key of the wrong type', { apiKey: [SECRET] }],
    ['a key with a line break inside', { apiKey: `${SECRET}\nx` }],
    ['a key with a dash that a text editor made', { apiKey: `${SECRET}\u2013` }],
    ['a key from the environment', { kind: 'openai' }, { OPENAI_API_KEY: `${SECRET} x` }],
    ['a header of the wrong type', { headers: { authorization: [SECRET] } }],
    ['a header with a line break', { headers: { authorization: `Bearer ${SECRET}\r\nx: y` } }],
    ['headers that are text', { headers: `authorization: ${SECRET}` }],
    ['a misspelled option', { apikey: SECRET }],
  ])('an error never shows it: %s', (_name, options, env) => {
    const message = messageOf({ kind: 'vllm', url, ...options }, env)
    expect(message).not.toContain(SECRET)
    expect(message).toMatch(/apiKey|OPENAI_API_KEY|authorization|headers/)
  })
})

test('a target is plain data that crosses thread borders', () => {
  const target = resolve({ kind: 'openai', url, apiKey: SECRET, headers: { 'x-a': 'b' }, body: { a: { b: 1 } } })
  expect(structuredClone(target)).toEqual(target)
})

describe('the API', () => {
  test.each([
    ['openai', url, undefined, 'chat'],
    ['anthropic', url, undefined, 'messages'],
    ['vllm', url, 'responses', 'responses'],
    ['vllm', `${url}/v1/completions`, undefined, 'completions'],
    ['vllm', `${url}/v1/chat/completions`, 'chat', 'chat'],
    ['vllm', `${url}/v1/messages`, undefined, 'messages'],
  ])('of %s at %s, told %s: %s', (kind, at, api, expected) => {
    const target = resolve({ kind, url: at, ...(api !== undefined && { api }) })
    expect([target.api, target.url]).toEqual([expected, `${url}/v1`])
  })

  test('told one way by the URL and another by the option', () => {
    expect(messageOf({ kind: 'vllm', url: `${url}/v1/responses`, api: 'chat' })).toMatchInlineSnapshot(
      `"target.api: is 'chat', but \`url\` ends in the path of 'responses'. Leave one of them out."`,
    )
    expect(messageOf({ kind: 'vllm', url, api: 'message' })).toContain("Did you mean 'messages'?")
  })

  test.each([
    ['responses', 'input'],
    ['completions', 'prompt'],
    ['messages', 'messages'],
  ])('%s takes no body of its own for `%s`', (api, field) => {
    expect(messageOf({ kind: 'vllm', url, api, body: { [field]: [] } })).toContain(`\`${field}\``)
  })
})

describe('where the key goes', () => {
  test.each([
    ['anthropic', {}, { 'x-api-key': SECRET }],
    ['vllm', {}, { authorization: `Bearer ${SECRET}` }],
    ['vllm', { api: 'messages' }, { authorization: `Bearer ${SECRET}`, 'x-api-key': SECRET }],
    ['anthropic', { headers: { 'X-Api-Key': 'mine' } }, { 'x-api-key': 'mine' }],
  ])('%s %j', (kind, more, headers) => {
    expect({ ...resolve({ kind, url, apiKey: SECRET, ...more }).headers }).toEqual(headers)
  })

  test('and where it comes from', () => {
    const env = { ANTHROPIC_API_KEY: 'theirs', MY_KEY: SECRET }
    expect(resolve({ kind: 'anthropic', url }, env).headers['x-api-key']).toBe('theirs')
    const named = resolve({ kind: 'anthropic', url, apiKeyVariable: 'MY_KEY' }, env)
    expect(named.headers['x-api-key']).toBe(SECRET)
    expect(named.secrets).toContain(SECRET)
    expect(messageOf({ kind: 'vllm', url, apiKeyVariable: 'MY_KEY' }, { MY_KEY: `${SECRET} \u0007x` })).not.toContain(SECRET)
  })
})

test('names of headers are checked and lower case', () => {
  const target = resolve({ kind: 'vllm', url, sessionHeader: 'X-Session', attributeHeaders: { 'X-Tenant': 'tenant.id' } })
  expect(target).toMatchObject({ sessionHeader: 'x-session', attributeHeaders: { 'x-tenant': 'tenant.id' } })
  expect(target).not.toHaveProperty('sessionTokenHeader')
  expect(resolve({ kind: 'llm-d', url }).sessionTokenHeader).toBe('x-session-token')
  expect(resolve({ kind: 'llm-d', url, sessionTokenHeader: 'X-Mine' }).sessionTokenHeader).toBe('x-mine')
  expect(messageOf({ kind: 'vllm', url, sessionHeader: 'a b' })).toContain('target.sessionHeader: "a b" is not a header name')
  expect(messageOf({ kind: 'vllm', url, attributeHeaders: { Connection: 'x' } })).toContain('set by the connection')
})
