import { expect, test } from 'vitest'
import type { Warning } from '../base/index.ts'
import { manualClock } from '../base/manual-clock.fixture.ts'
import type { Scrape } from '../endpoint/index.ts'
import { startSimulator } from '../simulator/index.ts'
import { chain } from './graph.fixture.ts'
import { replay } from './replay.ts'
import { ServerWatch } from './server-watch.ts'
import { workloadOf } from './virtual-run.fixture.ts'

const reading = { running: 1, waiting: 0, kvCacheUsage: null, preemptions: null, prefixHitTokens: null, prefixQueryTokens: null }
const metrics = { url: 'http://127.0.0.1:8000/metrics', intervalMs: 1_000, headers: {} }

function watchOf(scrape: () => Promise<Scrape>) {
  const clock = manualClock()
  const warnings: Warning[] = []
  const watch = new ServerWatch({ metrics, clock, scrape, warn: (warning) => void warnings.push(warning) })
  return { watch, clock, warnings }
}

test('looks on a timer and when told to, by the time it asked', async () => {
  const { watch, clock } = watchOf(async () => ({ reading }))
  watch.start(0)
  watch.look(0)
  for (let second = 0; second < 3; second++) clock.advanceToNext()
  await watch.stop()
  expect(watch.record?.samples.map(({ atMs }) => atMs)).toEqual([0, 1_000, 2_000, 3_000])
  expect(clock.advanceToNext()).toBe(false)
})

test('many looks are thinned out, over the whole of the time', async () => {
  const { watch, clock } = watchOf(async () => ({ reading }))
  watch.start(0)
  for (let look = 0; look < 2_000; look++) {
    clock.advanceToNext()
    await Promise.resolve()
  }
  await watch.stop()
  const samples = watch.record?.samples ?? []
  expect(samples.length).toBeLessThanOrEqual(600)
  expect(samples.at(-1)?.atMs).toBeGreaterThan(2_000_000)
  expect(samples[0]?.atMs).toBeLessThan(100_000)
})

test('what cannot be read is a warning, and no reason to fail', async () => {
  const { watch, warnings } = watchOf(async () => ({ problem: 'it answered 404' }))
  watch.look(0)
  await watch.stop()
  expect(watch.record).toBeUndefined()
  expect(warnings).toEqual([
    {
      code: 'server-metrics-unread',
      message: 'The metrics of the server are missing from the run: it answered 404.',
      where: metrics.url,
    },
  ])
})

test('a run has what the server said, from the borders of its stages at least', async () => {
  const simulator = await startSimulator({ speed: Number.POSITIVE_INFINITY, apiKey: 'k3y' })
  try {
    const run = await replay({
      workload: workloadOf([chain('a', 3), chain('b', 3)]),
      target: { kind: 'simulator', url: simulator.url, apiKey: 'k3y', metrics: true },
      stages: [
        { concurrentSessions: 1, sessions: 1 },
        { concurrentSessions: 1, sessions: 1 },
      ],
    })
    for (const { serverLoad } of run.stages) expect(serverLoad?.samples).toBeGreaterThanOrEqual(2)
    expect(run.serverLoad).toMatchObject({ preemptions: 0, waiting: { max: 0 } })
    const sent = run.requests.reduce((sum, { inputTokens }) => sum + (inputTokens ?? 0), 0)
    expect(run.record.server?.samples.at(-1)?.prefixQueryTokens).toBe(sent)
    expect(run.warnings).toEqual([])
  } finally {
    await simulator.close()
  }
})
