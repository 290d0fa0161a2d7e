import { describe, expect, test } from 'vitest'
import { manualClock } from '../../base/manual-clock.fixture.ts'
import { type Endpoint, resolveTarget } from '../../endpoint/index.ts'
import { chain } from '../graph.fixture.ts'
import { planReplay } from '../options-schema.ts'
import { drive, failing, type ScriptedAnswer, scriptedEndpoint, workloadOf } from '../virtual-run.fixture.ts'
import { findCapacity, search } from './find-capacity.ts'
import { type FindCapacityOptions, planCapacity } from './options.ts'

const workload = workloadOf(Array.from({ length: 20 }, (_, index) => chain(`s${index}`, 1 + (index % 3))))

/** As fast as it gets up to so many requests at once; beyond, each takes its share of the time. */
const SERVES_AT_ONCE = 12

async function searched(
  options: Partial<FindCapacityOptions> = {},
  answer: (inFlight: number, n: number) => ScriptedAnswer = (inFlight) => ({
    latencyMs: 100 * Math.max(1, inFlight / SERVES_AT_ONCE),
  }),
) {
  const clock = manualClock()
  const given = { workload, slo: { workflowLatency: { p95: 500 } }, concurrentSessions: { from: 2, to: 100 }, ...options }
  const { capacity, replay } = planCapacity(given)
  const plan = planReplay({ ...replay, stages: [{ concurrentSessions: 1 }] })
  const target = resolveTarget({ kind: 'vllm', url: 'http://127.0.0.1:9' }, {})
  const markers: string[] = []
  const peaks: number[] = []
  const running = search(plan, capacity, (cacheMarker) => ({
    target,
    clock,
    cacheMarker,
    createEndpoint() {
      markers.push(cacheMarker)
      let inFlight = 0
      const server = scriptedEndpoint(clock, (_, n) => answer(inFlight, n))
      const endpoint: Endpoint = {
        async send(request) {
          inFlight++
          const exchange = await server.endpoint.send(request)
          inFlight--
          return exchange
        },
        async close() {
          peaks.push(server.peak())
        },
      }
      return endpoint
    },
  }))
  await drive(clock, running)
  return { ...(await running), markers, peaks, tookMs: clock.now() }
}

test('finds how many sessions at once a server bears', async () => {
  const { outcome, concurrentSessions, lowestFailing, curve, slo } = await searched()
  // Three calls of 100 ms × n ÷ 12: 500 ms at 20.
  expect(outcome).toBe('found')
  expect(Math.abs(concurrentSessions - 20)).toBeLessThanOrEqual(2)
  expect(lowestFailing).toBeGreaterThan(concurrentSessions)
  expect(slo).toEqual(['workflow latency p95 ≤ 500ms'])
  const sessions = curve.map((point) => point.concurrentSessions)
  expect(sessions).toEqual(sessions.toSorted((a, b) => a - b))
})

test('gives the curve: what each load came to', async () => {
  const { curve, concurrentSessions } = await searched()
  const knee = curve.find((point) => point.concurrentSessions === concurrentSessions)
  const low = curve[0]
  expect(low).toMatchObject({
    concurrentSessions: 2,
    met: true,
    certain: true,
    cutShort: false,
    sessionSuccessRate: 1,
    sessions: 100,
  })
  expect(low?.workflowLatencyP95Ms).toBeCloseTo(300, 0)
  // Two at once, 200 ms each on average.
  expect(low?.sessionsPerSecond).toBeCloseTo(10, 0)
  expect(low?.requestsPerSecond).toBeCloseTo(20, 0)
  expect(low?.outputTokensPerSecond).toBeCloseTo(80, -1)
  expect(knee?.sessionsPerSecond).toBeGreaterThan(3 * (low?.sessionsPerSecond ?? 0))
})

test('keeps the load up until the last measured session has ended, and sets each measurement apart in the cache', async () => {
  const { peaks, markers, curve } = await searched()
  expect(new Set(markers).size).toBe(markers.length)
  expect(Math.max(...peaks)).toBe(curve.at(-1)?.concurrentSessions)
})

test('hands on what the measurements warned of, once', async () => {
  const warning = { code: 'unreadable-message', message: 'a message was skipped', where: 's1' }
  const warned = {
    ...workload,
    async *open(context: Parameters<typeof workload.open>[0]) {
      context.warn(warning)
      yield* workload.open(context)
    },
  }
  const { warnings } = await searched({ workload: warned })
  expect(warnings.filter(({ code }) => code === warning.code)).toEqual([warning])
  expect(warnings.map(({ code }) => code)).not.toContain('run-aborted')
})

test('ends a measurement as soon as too many sessions broke the limit', async () => {
  const { curve } = await searched({ concurrentSessions: { from: 100, to: 100 } })
  expect(curve).toMatchObject([{ concurrentSessions: 100, met: false, certain: true, cutShort: true, measurements: 1 }])
  expect(curve[0]?.sessions).toBeLessThan(100)
})

test('a server that hangs is not waited for', async () => {
  const { outcome, tookMs } = await searched({ concurrentSessions: { from: 2, to: 4 } }, () => ({ latencyMs: 1e9 }))
  expect(outcome).toBe('below-range')
  expect(tookMs).toBeLessThan(3 * 60_000)
})

test('counts failures against the SLO: a server does not gain by failing', async () => {
  const half = (inFlight: number, n: number): ScriptedAnswer =>
    inFlight > 10 && n % 2 === 0 ? { latencyMs: 1, result: failing() } : { latencyMs: 50 }
  expect((await searched({}, half)).concurrentSessions).toBeLessThanOrEqual(11)
  expect((await searched({ slo: { sessionSuccessRate: 0.99 } }, half)).concurrentSessions).toBeLessThanOrEqual(11)
})

test.each<[FindCapacityOptions['slo']]>([
  [{ timeToFirstToken: { p99: 100 } }],
  [{ requestLatency: { p95: 200 } }],
  [{ timePerOutputToken: { p90: 34 } }],
])('limits of requests: %j', async (slo) => {
  // TTFT is half of the latency, TPOT a sixth: all of them are met up to twice of what is served at once.
  const { concurrentSessions } = await searched({ slo })
  expect(Math.abs(concurrentSessions - 24)).toBeLessThanOrEqual(2)
})

describe('ends in time', () => {
  test('by maxDuration', async () => {
    const { outcome, unfinished, concurrentSessions, curve } = await searched({ maxDuration: '15s' })
    expect(outcome).toBe('unfinished')
    expect(unfinished).toBe('its maxDuration of 15 s had passed')
    expect(concurrentSessions).toBe(curve.at(-1)?.concurrentSessions)
  })

  test('by a signal', async () => {
    const controller = new AbortController()
    const { outcome, unfinished } = await searched({ signal: controller.signal }, (_, n) => {
      if (n > 200) controller.abort()
      return {}
    })
    expect(outcome).toBe('unfinished')
    expect(unfinished).toBe('it was aborted')
  })
})

test('a server that refuses everything is an error', async () => {
  await expect(searched({}, () => ({ latencyMs: 1, result: failing('connect_refused') }))).rejects.toThrow(
    'The target cannot be used',
  )
})

test('over the network, against the embedded simulator', async () => {
  const capacity = await findCapacity({
    workload,
    simulator: { maxBatch: 4, speed: 200 },
    slo: { sessionSuccessRate: 1 },
    concurrentSessions: { from: 2, to: 4 },
    sessions: 20,
    timeScale: 0,
  })
  expect(capacity).toMatchObject({ outcome: 'above-range', concurrentSessions: 4, lowestFailing: null, name: 'sketched' })
})

describe('misuse', () => {
  const options = { workload, slo: { sessionSuccessRate: 0.99 }, concurrentSessions: { from: 1, to: 2 } }

  test.each<[object, string]>([
    [{ slo: undefined }, 'findCapacity options: `slo` is missing'],
    [{ slo: {} }, '`slo` has no limit. Give at least one of sessionSuccessRate, workflowLatency'],
    [{ slo: { workflowLatncy: { p95: 1 } } }, 'unknown limit `slo.workflowLatncy`. Did you mean `workflowLatency`?'],
    [{ slo: { sessionSuccessRate: 99 } }, 'Did you mean 0.99?'],
    [{ slo: { workflowLatency: '45s' } }, "`slo.workflowLatency` is '45s', expected percentiles such as { p95: '45s' }."],
    [{ slo: { workflowLatency: { max: '45s' } } }, '`slo.workflowLatency.max` is no percentile'],
    [{ slo: { workflowLatency: { p95: true } } }, '`slo.workflowLatency.p95` is true'],
    [{ slo: { workflowLatency: { p95: '45 parsecs' } } }, 'is not a duration'],
    [{ concurrentSessions: 50 }, '`concurrentSessions` is 50, expected'],
    [{ concurrentSessions: { from: 20, to: 10 } }, '`from` must not be greater than `to`'],
    [{ concurrentSessions: { from: 0, to: 10 } }, '`concurrentSessions.from` is 0'],
    [{ stages: [] }, '`stages` is set by the search'],
    [{ precision: 0 }, '`precision` is 0'],
    [{ timescale: 1 }, 'findCapacity options: unknown option `timescale`. Did you mean `timeScale`?'],
    [{ maxDurations: 1 }, 'unknown option `maxDurations`. Did you mean `maxDuration`?'],
    [
      { users: 1 },
      'Known: slo, concurrentSessions, sessions, precision, repeats, maxDuration, name, workload, target, simulator, timeScale',
    ],
  ])('%j', async (differs, message) => {
    await expect(findCapacity({ ...options, ...differs } as FindCapacityOptions)).rejects.toThrow(message)
  })
})
