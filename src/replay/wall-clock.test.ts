import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RequestRecord } from '../metrics/index.ts'
import { startSimulator } from '../simulator/index.ts'
import { chain } from './graph.fixture.ts'
import { replay } from './replay.ts'
import { virtualRun, workloadOf } from './virtual-run.fixture.ts'

const HOUR_MS = 3_600_000
const RealDate = Date

/** Each look at the wall clock finds it an hour further on, or back where it was. */
class JumpingDate extends RealDate {
  static #looks = 0

  constructor(...args: [] | [number | string | Date]) {
    super(args.length === 0 ? JumpingDate.now() : args[0])
  }

  static override now(): number {
    return RealDate.now() + (JumpingDate.#looks++ % 2) * HOUR_MS
  }
}

beforeEach(() => vi.stubGlobal('Date', JumpingDate))
afterEach(() => vi.unstubAllGlobals())

test('what jumps is the clock on the wall', () => {
  const [first, second, third] = [Date.now(), Date.now(), Date.parse(new Date().toISOString())]
  expect(Math.abs(second - first)).toBeGreaterThan(HOUR_MS / 2)
  expect(Math.abs(third - second)).toBeGreaterThan(HOUR_MS / 2)
})

test('in virtual time every record is the same, however the wall clock jumps', async () => {
  const given = {
    graphs: Array.from({ length: 12 }, (_, index) => chain(`s${index}`, 4, 300)),
    stages: [
      { concurrentSessions: 2, sessions: 4 },
      { concurrentSessions: 0, sessionRate: 5, arrivals: 'poisson', sessions: 4 },
      { concurrentSessions: { from: 1, to: 4, over: '2s' }, duration: '3s', timeout: '4s' },
    ],
  } as const
  const measured = async () => {
    const { recorder } = await virtualRun(given)
    return { sessions: recorder.sessions, requests: [...recorder.requests], stages: recorder.stages }
  }
  const jumping = await measured()
  vi.unstubAllGlobals()
  expect(jumping).toEqual(await measured())
})

test('over the network no figure knows of the jumps', async () => {
  const simulator = await startSimulator({ prefillTokensPerSecond: 1e6, decodeStepMs: 0.1 })
  try {
    const run = await replay({
      workload: workloadOf(Array.from({ length: 20 }, (_, index) => chain(`s${index}`, 3, 5))),
      target: { kind: 'simulator', url: simulator.url },
      stages: [
        { concurrentSessions: 4, sessions: 10 },
        { concurrentSessions: 0, sessionRate: 200, sessions: 10, duration: '10m', timeout: '20m' },
      ],
      journal: false,
    })
    expect(run.sessionCounts).toMatchObject({ total: 20, succeeded: 20 })
    expect(run.record.durationMs).toBeLessThan(HOUR_MS / 2)
    for (const request of run.requests) {
      const times = timesOf(request)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(times.at(-1)).toBeLessThanOrEqual(run.record.durationMs)
    }
    for (const { startMs, endMs } of run.record.stages) expect(endMs - startMs).toBeLessThanOrEqual(run.record.durationMs)
    const { workflowLatency, requestLatency, timeToFirstToken, timePerOutputToken, interTokenLatency, scheduleLag } = run
    const figures = [workflowLatency, requestLatency, timeToFirstToken, timePerOutputToken, interTokenLatency, scheduleLag]
    for (const figure of figures) {
      expect(figure.quantile(0)).toBeGreaterThanOrEqual(0)
      expect(figure.quantile(1)).toBeLessThanOrEqual(run.record.durationMs)
    }
  } finally {
    await simulator.close()
  }
})

/** In the order in which they must have been. */
function timesOf({ readyMs, sentMs, firstOutputMs, lastOutputMs, endMs }: RequestRecord): number[] {
  return [0, readyMs ?? 0, sentMs ?? 0, firstOutputMs ?? 0, lastOutputMs ?? 0, endMs ?? 0]
}
