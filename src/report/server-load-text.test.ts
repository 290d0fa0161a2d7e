import { expect, test } from 'vitest'
import type { ServerLoad } from '../metrics/index.ts'
import { reviewRun, verdict } from './example-run.fixture.ts'
import { renderSloFailure } from './failure-message.ts'
import { renderServerLoad } from './server-load-text.ts'

const calm: ServerLoad = {
  samples: 10,
  running: { mean: 12, max: 20 },
  waiting: { mean: 0.1, max: 1 },
  kvCacheUsage: { mean: 0.2, max: 0.4 },
  preemptions: 0,
  prefixHitRate: 0.7,
}

test.each<[string, Partial<ServerLoad>]>([
  ['a queue', { waiting: { mean: 37.6, max: 120 } }],
  ['a full cache', { kvCacheUsage: { mean: 0.8, max: 0.99 } }],
  ['preemptions', { preemptions: 12 }],
])('%s explains something', (_, differs) => {
  expect(renderServerLoad({ ...calm, ...differs }, 80)).not.toEqual([])
})

test('a server at ease explains nothing, nor does one that says little', () => {
  expect(renderServerLoad(calm, 80)).toEqual([])
  const silent = {
    samples: 1,
    running: undefined,
    waiting: undefined,
    kvCacheUsage: undefined,
    preemptions: undefined,
    prefixHitRate: undefined,
  }
  expect(renderServerLoad(silent, 80)).toEqual([])
})

test('stands in the message of a failure', () => {
  const sample = { running: 64, waiting: 38, kvCacheUsage: 0.991, preemptions: 0, prefixHitTokens: 0, prefixQueryTokens: 0 }
  const samples = [
    { ...sample, atMs: 100 },
    { ...sample, atMs: 900, waiting: 120, preemptions: 12, prefixHitTokens: 430, prefixQueryTokens: 1_000 },
  ]
  const run = reviewRun({ differs: { server: { samples } } })
  const text = renderSloFailure({ scenario: run.name, measured: run, verdicts: [verdict()] })
  expect(text.slice(text.indexOf('The server meanwhile'))).toMatchInlineSnapshot(`
    "The server meanwhile
      79 requests in its queue on average, up to 120; 64 running, up to 64; KV
      cache up to 99.1% full; 12 preemptions; 43% of prompt tokens found in its
      prefix cache."
  `)
  expect(renderSloFailure({ scenario: run.name, measured: run, verdicts: [verdict()], ungradable: 'x' })).not.toContain(
    'meanwhile',
  )
})
