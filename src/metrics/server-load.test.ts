import { expect, test } from 'vitest'
import type { ServerSample } from './records.ts'
import { Run } from './run.ts'
import { runRecord, stageRecord } from './run-record.fixture.ts'

function sample(atMs: number, differs: Partial<ServerSample> = {}): ServerSample {
  return {
    atMs,
    running: null,
    waiting: null,
    kvCacheUsage: null,
    preemptions: null,
    prefixHitTokens: null,
    prefixQueryTokens: null,
    ...differs,
  }
}

const stages = [stageRecord({ warmup: true, startMs: 0, endMs: 1_000 }), stageRecord({ index: 1, startMs: 1_000, endMs: 3_000 })]

test('gauges are averaged, counters count from the beginning of the stage', () => {
  const run = new Run(
    runRecord({
      stages,
      server: {
        samples: [
          sample(500, { waiting: 90, preemptions: 3 }),
          sample(1_500, { waiting: 10, kvCacheUsage: 0.5, preemptions: 5, prefixHitTokens: 100, prefixQueryTokens: 1_000 }),
          sample(2_500, { waiting: 20, kvCacheUsage: 1, preemptions: 9, prefixHitTokens: 400, prefixQueryTokens: 2_000 }),
        ],
      },
    }),
  )
  expect(run.serverLoad).toEqual({
    samples: 2,
    running: undefined,
    waiting: { mean: 15, max: 20 },
    kvCacheUsage: { mean: 0.75, max: 1 },
    preemptions: 4,
    prefixHitRate: 0.3,
  })
  expect(run.stages[0]?.serverLoad?.waiting?.max).toBe(90)
})

test('a server that was started anew counts from 0 again', () => {
  const samples = [5, 8, 2].map((preemptions, index) => sample(1_000 + index, { preemptions }))
  expect(new Run(runRecord({ stages, server: { samples } })).serverLoad?.preemptions).toBe(5)
})

test('nothing is said of a server that was not asked, or not meanwhile', () => {
  expect(new Run(runRecord({ stages })).serverLoad).toBeUndefined()
  expect(new Run(runRecord({ stages, server: { samples: [sample(9_000, { waiting: 1 })] } })).serverLoad).toBeUndefined()
})
