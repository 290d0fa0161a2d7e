import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { randomSessions, runOfSessions } from './random-run.fixture.ts'
import type { RunRecord } from './records.ts'
import { Run } from './run.ts'
import { digestOf, requestRecord, runRecord, sessionRecord, stageRecord, unsentRecord } from './run-record.fixture.ts'

const { POSITIVE_INFINITY } = Number

/** Sessions of one call that took 1, 2, 3, … seconds. */
function sessionsTaking(...seconds: number[]) {
  const taken = seconds.map((s) => ({ id: `s${s}`, endMs: s * 1_000 }))
  return {
    sessions: taken.map(({ id, endMs }) => sessionRecord({ id, endMs })),
    requests: taken.map(({ id, endMs }) => requestRecord({ session: id, endMs })),
  }
}

test('figures of a run without failures', () => {
  const run = new Run(runRecord(sessionsTaking(1, 2, 3, 4, 5)))
  expect(run.sessionSuccessRate).toBe(1)
  expect(run.workflowLatency.quantile(0.5)).toBe(3_000)
  expect(run.requestLatency.quantile(0.95)).toBe(4_800)
  expect(run.timeToFirstToken.max()).toBe(200)
  expect(run.timePerOutputToken.mean()).toBe(20)
  expect(run.normalizedTimePerOutputToken.min()).toBeCloseTo(1_000 / 11)
  expect(run.scheduleLag.max()).toBe(0)
  expect(run.sessionCounts).toEqual({ total: 5, succeeded: 5, failed: 0, cutOff: 0 })
  expect(run.requestCounts).toEqual({ total: 5, succeeded: 5, failed: 0, cutOff: 0, cancelled: 0 })
  expect(run.throughput.requestsPerSecond).toBe(1)
  expect(run.gradable).toEqual({ ok: true })
  expect(run.errors).toEqual([])
})

describe('failures count', () => {
  const error = { label: 'http_503', message: 'busy', call: 'c1' }
  const ok = sessionsTaking(1, 2)
  const record = runRecord({
    sessions: [
      ...ok.sessions,
      sessionRecord({ id: 'f', state: 'failed', endMs: 10, error }),
      sessionRecord({ id: 'c', state: 'cut-off', endMs: 20 }),
    ],
    requests: [
      ...ok.requests,
      // It failed fast, and after a quick first token: neither may make the run look faster.
      requestRecord({ session: 'f', state: 'failed', firstOutputMs: 5, lastOutputMs: 6, endMs: 10, error }),
      unsentRecord({ session: 'f', call: 'c2', after: ['c1'] }),
      requestRecord({ session: 'c', state: 'cut-off', firstOutputMs: null, lastOutputMs: null, endMs: 20 }),
    ],
  })
  const run = new Run(record)

  test('as sessions and requests', () => {
    expect(run.sessionSuccessRate).toBe(0.5)
    expect(run.sessionCounts).toEqual({ total: 4, succeeded: 2, failed: 1, cutOff: 1 })
    expect(run.requestCounts).toEqual({ total: 5, succeeded: 2, failed: 1, cutOff: 1, cancelled: 1 })
  })

  test.each([
    'requestLatency',
    'timeToFirstToken',
    'timePerOutputToken',
    'normalizedTimePerOutputToken',
    'interTokenLatency',
  ] as const)('as infinitely slow requests in %s, sent or not', (metric) => {
    expect(run[metric].failures).toBeGreaterThanOrEqual(3)
    expect(run[metric].max()).toBe(POSITIVE_INFINITY)
  })

  test('as infinitely slow sessions in the workflow latency', () => {
    expect([run.workflowLatency.count, run.workflowLatency.failures]).toEqual([4, 2])
    expect(run.workflowLatency.min()).toBe(1_000)
    expect(run.workflowLatency.quantile(0.5)).toBe(POSITIVE_INFINITY)
    expect(run.workflowLatency.quantile(0.5, 'successful')).toBe(1_500)
  })

  test('first among the worst sessions, unless the successful are asked for', () => {
    expect(run.worstSessions(3).map(({ session }) => session)).toEqual(['c', 'f', 's2'])
    expect(run.worstSessions(3, 'successful').map(({ session }) => session)).toEqual(['s2', 's1'])
  })

  test('failing more never improves a figure', () => {
    const failing = (count: number): RunRecord => {
      const state = (index: number) => (index < count ? 'failed' : 'succeeded')
      const { sessions, requests } = sessionsTaking(1, 2, 3, 4, 5, 6, 7, 8)
      return runRecord({
        sessions: sessions.map((session, index) => ({ ...session, state: state(index) })),
        requests: requests.map((request, index) => ({ ...request, state: state(index) })),
        stages: [stageRecord({ interTokenLatency: digestOf(Array(10 * (8 - count)).fill(20)) })],
      })
    }
    for (const metric of [
      'workflowLatency',
      'requestLatency',
      'timeToFirstToken',
      'timePerOutputToken',
      'interTokenLatency',
    ] as const) {
      for (const q of [0, 0.3, 0.5, 0.9, 1]) {
        const figures = Array.from({ length: 9 }, (_, count) => new Run(failing(count))[metric].quantile(q) ?? Number.NaN)
        expect(figures).toEqual(figures.toSorted((a, b) => (a === b ? 0 : a - b)))
      }
    }
  })
})

test('a metric that no response carried has no sample', () => {
  const { sessions, requests } = sessionsTaking(1, 2)
  const unstreamed = requests.map((request) => ({ ...request, outputChunks: 1, lastOutputMs: request.firstOutputMs }))
  const run = new Run(runRecord({ sessions, requests: unstreamed }))
  expect([run.timePerOutputToken.count, run.timePerOutputToken.quantile(0.5)]).toEqual([0, undefined])
  expect([run.interTokenLatency.count, run.interTokenLatency.quantile(0.5)]).toEqual([0, undefined])
  expect(run.cachedShare).toBeUndefined()
})

test('the cached share is over all prompt tokens, not a mean of shares', () => {
  const requests = [
    requestRecord({ inputTokens: 900, cachedInputTokens: 900 }),
    requestRecord({ inputTokens: 100, cachedInputTokens: 0 }),
    requestRecord({ inputTokens: 5_000, cachedInputTokens: null }),
    requestRecord({ inputTokens: 5_000, cachedInputTokens: 0, state: 'failed' }),
  ]
  expect(new Run(runRecord({ requests })).cachedShare).toBe(0.9)
})

describe('stages', () => {
  const record = runRecord({
    stages: [
      stageRecord({ index: 0, warmup: true, concurrentSessions: 1, interTokenLatency: digestOf([500]) }),
      stageRecord({ index: 1, concurrentSessions: 8, interTokenLatency: digestOf([10]) }),
      stageRecord({ index: 2, concurrentSessions: 16, interTokenLatency: digestOf([30]) }),
    ],
    sessions: [0, 1, 2].map((stage) =>
      sessionRecord({ id: `s${stage}`, stage, endMs: 1_000 * (stage + 1), state: stage === 0 ? 'failed' : 'succeeded' }),
    ),
    requests: [0, 1, 2].map((stage) => requestRecord({ session: `s${stage}`, stage, firstOutputMs: 100 * (stage + 1) })),
  })
  const run = new Run(record)

  test('a warm-up is not part of the run', () => {
    expect(run.sessions.map(({ id }) => id)).toEqual(['s1', 's2'])
    expect(run.requests.map(({ session }) => session)).toEqual(['s1', 's2'])
    expect(run.sessionSuccessRate).toBe(1)
    expect(run.interTokenLatency.max()).toBe(30)
    expect(run.errors).toEqual([])
  })

  test('each is measured for itself, the warm-up too', () => {
    expect(run.stages.map(({ index, warmup, concurrentSessions }) => [index, warmup, concurrentSessions])).toEqual([
      [0, true, 1],
      [1, false, 8],
      [2, false, 16],
    ])
    expect(run.stages.map((stage) => stage.timeToFirstToken.max())).toEqual([100, 200, 300])
    expect(run.stages.map((stage) => stage.interTokenLatency.max())).toEqual([500, 10, 30])
    expect(run.stages.map((stage) => stage.sessionSuccessRate)).toEqual([0, 1, 1])
  })
})

test('a session id that comes twice does not mix two paths', () => {
  const record = runRecord({
    stages: [stageRecord(), stageRecord({ index: 1 })],
    sessions: [sessionRecord({ stage: 0, endMs: 300 }), sessionRecord({ stage: 1, startMs: 400, endMs: 900 })],
    requests: [
      requestRecord({ stage: 0, endMs: 300 }),
      requestRecord({ stage: 1, readyMs: 400, sentMs: 400, firstOutputMs: 500, endMs: 900 }),
    ],
  })
  expect(new Run(record).worstSessions(2).map(({ latencyMs, split }) => [latencyMs, split.decodeMs])).toEqual([
    [500, 400],
    [300, 100],
  ])
})

test('an empty run has no figure and does not throw', () => {
  const run = new Run(runRecord())
  expect(run.sessionSuccessRate).toBeUndefined()
  expect(run.workflowLatency.quantile(0.5)).toBeUndefined()
  expect(run.throughput.requestsPerSecond).toBeUndefined()
  expect(run.worstSessions(3)).toEqual([])
  expect(run.gradable).toEqual({ ok: false, reason: 'no session ran' })
})

describe('a run is small to print', () => {
  const record = runOfSessions(randomSessions(3, 200))
  const run = new Run(record)

  test('as JSON', () => {
    expect(JSON.stringify(run).length).toBeLessThan(1_000)
    expect(JSON.parse(JSON.stringify(run))).toMatchObject({ name: record.name, sessions: run.sessionCounts })
  })

  test('on the console', () => {
    expect(inspect(run).length).toBeLessThan(1_000)
    expect(inspect(run.stages[0])).toMatch('StageView')
  })

  test('in a failed assertion', () => {
    const failing = () => expect(run).toEqual({})
    expect(failing).toThrow()
    try {
      failing()
    } catch (error) {
      expect(inspect(error).length).toBeLessThan(5_000)
    }
  })
})

test('a record survives JSON unchanged, and so do the figures', () => {
  const record = runOfSessions(randomSessions(4, 60), { aborted: 'Ctrl-C' })
  const revived: RunRecord = JSON.parse(JSON.stringify(record))
  expect(revived).toEqual(record)
  expect(new Run(revived).interTokenLatency.quantile(0.9)).toBe(new Run(record).interTokenLatency.quantile(0.9))
})
