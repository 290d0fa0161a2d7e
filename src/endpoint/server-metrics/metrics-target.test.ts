import { expect, test } from 'vitest'
import { resolveTarget } from '../resolve-target.ts'
import type { TargetOptions } from '../target.ts'

function metricsOf(url: string, metrics: TargetOptions['metrics']) {
  return resolveTarget({ kind: 'vllm', url, apiKey: 'k3y', ...(metrics === undefined ? {} : { metrics }) }, {}).metrics
}

test('nobody is asked unless told to', () => {
  expect(metricsOf('http://127.0.0.1:8000', undefined)).toBeUndefined()
  expect(metricsOf('http://127.0.0.1:8000', false)).toBeUndefined()
})

test.each([
  ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/metrics'],
  ['http://127.0.0.1:8000/v1/', 'http://127.0.0.1:8000/metrics'],
  ['http://127.0.0.1:8000/models/a/v1', 'http://127.0.0.1:8000/models/a/metrics'],
  ['http://127.0.0.1:8000/v1/chat/completions', 'http://127.0.0.1:8000/metrics'],
])('beside %s it is %s', (url, metrics) => {
  expect(metricsOf(url, true)).toMatchObject({ url: metrics, intervalMs: 1_000 })
})

test('the key goes to the target’s own origin alone', () => {
  expect(metricsOf('http://127.0.0.1:8000', true)?.headers).toMatchObject({ authorization: 'Bearer k3y' })
  expect(metricsOf('http://127.0.0.1:8000', { url: 'http://127.0.0.1:9090/m', interval: '5s' })).toEqual({
    url: 'http://127.0.0.1:9090/m',
    intervalMs: 5_000,
    headers: {},
  })
})

test.each<[unknown, string]>([
  ['yes', "target: `metrics` is 'yes', expected `true`, or `{ url, interval: '1s' }`."],
  [{ intervall: 1 }, 'Did you mean'],
  [{ interval: 10 }, 'target.metrics.interval: is 10ms, expected at least 100ms'],
  [{ url: '/metrics' }, "target.metrics.url: expected a URL such as 'http://127.0.0.1:8000/metrics'."],
  [{ url: 'file:///etc/passwd' }, 'target.metrics.url: expected a URL'],
])('%j is refused', (metrics, message) => {
  expect(() => metricsOf('http://127.0.0.1:8000', metrics as boolean)).toThrow(message)
})
