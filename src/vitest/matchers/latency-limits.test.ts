import { expect, test } from 'vitest'
import { TraceReplayError } from '../../base/index.ts'
import { ExactDistribution } from '../../metrics/index.ts'
import { parseLatencyLimits, parseLatencyOptions } from './latency-limits.ts'

const hundred = new ExactDistribution(Array.from({ length: 101 }, (_, index) => index))

test.each([
  ['p1', 1],
  ['p50', 50],
  ['p95', 95],
  ['p99.5', 99.5],
  ['p05', 5],
  ['max', 100],
  ['mean', 50],
])('%s is read from the distribution', (name, value) => {
  const [limit] = parseLatencyLimits({ [name]: '45s' }, 'toHaveX')
  expect(limit).toMatchObject({ name, limitMs: 45_000 })
  expect(limit?.read(hundred, 'all')).toBe(value)
})

test('several limits keep their order', () => {
  expect(parseLatencyLimits({ max: 3, p50: 1, p95: undefined }, 'toHaveX').map(({ name }) => name)).toEqual(['max', 'p50'])
})

test.each<[unknown, string]>([
  [{}, "toHaveX has no limit to hold the run to. Give at least one of p50, p90, p95, p99, max, mean: `{ p95: '45s' }`."],
  [{ p95: undefined }, 'has no limit'],
  [undefined, "toHaveX takes an object of limits, not undefined: `{ p95: '45s' }`."],
  [null, 'not null'],
  ['45s', "not '45s'"],
  [45, 'not 45'],
  [[45], 'not [ 45 ]'],
  [{ P95: 1 }, 'unknown limit `P95`. Did you mean `p95`?'],
  [{ p_95: 1 }, 'Did you mean `p95`?'],
  [{ maximum: 1 }, 'unknown limit `maximum`. Did you mean `max`?'],
  [{ median: 1 }, 'Did you mean `p50`?'],
  [{ constructor: 1 }, 'Known: p50, p90, p95, p99 and other percentiles, max, mean.'],
  [{ p: 1 }, 'unknown limit `p`'],
  [{ 'p95.': 1 }, 'unknown limit `p95.`'],
  [{ 'p-5': 1 }, 'unknown limit `p-5`'],
  [{ p1e1: 1 }, 'unknown limit `p1e1`'],
  [{ p0: 1 }, '`p0` is no percentile: it must lie between p0 and p100.'],
  [{ p100: 1 }, 'Use `max` for the slowest.'],
  [{ 'p100.5': 1 }, '`p100.5` is no percentile'],
  [{ p999: 1 }, '`p999` is no percentile'],
  [{ over: 'successful' }, '`over` is the second argument'],
  [{ p95: '45 parsecs' }, 'toHaveX: `p95`: "45 parsecs" is not a duration.'],
  [{ p95: -1 }, '-1 is not a duration'],
  [{ p95: '-1s' }, '"-1s" is not a duration'],
  [{ p95: Number.NaN }, 'is not a duration'],
  [{ p95: Number.POSITIVE_INFINITY }, 'is not a duration'],
  [{ p95: '' }, 'is not a duration'],
  [{ p95: null }, "`p95` is null, expected milliseconds or text such as '45s'."],
  [{ p95: true }, '`p95` is true'],
  [{ p95: { p50: 1 } }, '`p95` is { p50: 1 }'],
  [{ p50: '1s', p95: '1 parsec' }, '"1 parsec" is not a duration'],
])('%j is refused', (limits, message) => {
  expect(() => parseLatencyLimits(limits, 'toHaveX')).toThrow(message)
  expect(() => parseLatencyLimits(limits, 'toHaveX')).toThrow(TraceReplayError)
})

test('failures count unless they are left out', () => {
  expect(parseLatencyOptions(undefined, 'toHaveX')).toEqual({ over: 'all' })
  expect(parseLatencyOptions({}, 'toHaveX')).toEqual({ over: 'all' })
  expect(parseLatencyOptions({ over: undefined }, 'toHaveX')).toEqual({ over: 'all' })
  expect(parseLatencyOptions({ over: 'all' }, 'toHaveX')).toEqual({ over: 'all' })
  expect(parseLatencyOptions({ over: 'successful' }, 'toHaveX')).toEqual({ over: 'successful' })
})

test.each<[unknown, string]>([
  ['successful', "toHaveX: the second argument is 'successful', expected `{ over: 'successful' }`."],
  [null, 'the second argument is null'],
  [{ over: 'failed' }, "`over` is 'failed', expected 'all' | 'successful'."],
  [{ Over: 'all' }, 'unknown option `Over` in the second argument. Known: over.'],
])('the second argument %j is refused', (options, message) => {
  expect(() => parseLatencyOptions(options, 'toHaveX')).toThrow(message)
})
