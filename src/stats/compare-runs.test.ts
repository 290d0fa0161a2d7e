import { describe, expect, test } from 'vitest'
import { seededRandom } from '../base/index.ts'
import type { RunRecord } from '../metrics/index.ts'
import { requestRecord, runRecord, sessionRecord, stageRecord } from '../metrics/run-record.fixture.ts'
import type { ComparedFigure, LatencyChange, SuccessRateChange } from './change.ts'
import { compareRuns } from './compare-runs.ts'

/** One session of one call for each latency; `null` is one that failed. */
function runOf(latencies: readonly (number | null)[], differs: Partial<RunRecord> = {}): RunRecord {
  const states = latencies.map((endMs, index) => ({
    id: `s${index}`,
    endMs: endMs ?? 1,
    state: endMs === null ? ('failed' as const) : ('succeeded' as const),
  }))
  return runRecord({
    sessions: states.map((state) => sessionRecord(state)),
    // The later in the list, the more work.
    requests: states.map(({ id, endMs, state }, index) =>
      requestRecord({ session: id, endMs, state, plannedOutputTokens: index }),
    ),
    ...differs,
  })
}

function compared(base: RunRecord, head: RunRecord, figure: ComparedFigure = 'typical', relative = 0.05): LatencyChange {
  const side = (record: RunRecord) => ({ measured: record, record })
  const latencies = [{ metric: 'workflowLatency', figure, tolerance: { relative, absoluteMs: 1 } }] as const
  const [change] = compareRuns(side(base), side(head), { latencies }).changes
  if (change?.kind !== 'latency') throw new Error('no change')
  return change
}

function rates(base: RunRecord, head: RunRecord, successRate = 0.01): SuccessRateChange {
  const side = (record: RunRecord) => ({ measured: record, record })
  const [change] = compareRuns(side(base), side(head), { latencies: [], successRate }).changes
  if (change?.kind !== 'success-rate') throw new Error('no change')
  return change
}

const latencies = Array.from({ length: 50 }, (_, index) => 1_000 + index * 200)

describe('typical', () => {
  test('is the ratio that all pairs have, however they differ in size', () => {
    const change = compared(runOf(latencies), runOf(latencies.map((ms) => ms * 1.2)))
    expect(change.change).toBeCloseTo(0.2, 10)
    expect(change.interval.low).toBeCloseTo(0.2, 10)
    expect(change.outcome).toBe('regressed')
    expect(change.headMs / change.baseMs).toBeCloseTo(1.2, 10)
  })

  test('is the geometric mean: twice and half cancel out', () => {
    const head = latencies.map((ms, index) => ms * (index % 2 === 0 ? 1.1 : 1 / 1.1))
    expect(compared(runOf(latencies), runOf(head)).change).toBeCloseTo(0, 3)
  })

  test('leaves out a tenth at either end: stragglers', () => {
    const head = latencies.map((ms, index) => (index % 25 === 0 ? ms * 5 : ms))
    expect(compared(runOf(latencies), runOf(head))).toMatchObject({ change: 0, outcome: 'held' })
  })

  test('both sides swapped is the inverse', () => {
    const random = seededRandom(7)
    const head = latencies.map((ms) => ms * (0.8 + random()))
    const there = compared(runOf(latencies), runOf(head)).change
    const back = compared(runOf(head), runOf(latencies)).change
    expect((1 + there) * (1 + back)).toBeCloseTo(1, 10)
  })

  test('the order of sessions, and of those of one side, does not matter', () => {
    const random = seededRandom(8)
    const head = runOf(latencies.map((ms) => ms * (0.8 + random())))
    const reversed = { ...head, sessions: head.sessions.toReversed(), requests: head.requests.toReversed() }
    expect(compared(runOf(latencies), reversed)).toEqual(compared(runOf(latencies), head))
  })

  test('the same runs give the same interval', () => {
    const random = seededRandom(9)
    const head = runOf(latencies.map((ms) => ms * (0.8 + random())))
    expect(compared(runOf(latencies), head)).toEqual(compared(runOf(latencies), head))
  })
})

describe('tail', () => {
  test('is over the heaviest fifth by recorded work, whatever they took', () => {
    const head = latencies.map((ms, index) => (index >= 40 ? ms * 1.3 : ms))
    const base = runOf(latencies.toReversed())
    const slower = runOf(latencies.toReversed().map((ms, index) => ((head[index] ?? 0) / (latencies[index] ?? 1)) * ms))
    expect(compared(base, slower, 'tail')).toMatchObject({ outcome: 'regressed', sessions: 10, pairs: 10 })
    expect(compared(base, slower, 'tail').change).toBeCloseTo(0.3, 10)
    expect(compared(base, slower, 'typical').change).toBeLessThan(0.1)
  })
})

describe('percentiles', () => {
  test('are the ratio of both sides, as reports give them', () => {
    const change = compared(runOf([100, 200, 300]), runOf([100, 400, 300]), 'p50')
    expect(change).toMatchObject({ baseMs: 200, headMs: 300, sessions: 3 })
    expect(change.change).toBeCloseTo(0.5, 10)
    expect(compared(runOf([100, 200]), runOf([100, 300]), 'p75')).toMatchObject({ baseMs: 175, headMs: 250 })
  })

  test('that failures set are infinite', () => {
    const failing = latencies.map((ms, index) => (index < 10 ? null : ms))
    expect(compared(runOf(latencies), runOf(failing), 'p95')).toMatchObject({
      headMs: Number.POSITIVE_INFINITY,
      outcome: 'regressed',
    })
    // Where they set both sides there is nothing to tell.
    expect(
      compared(runOf(failing), runOf([...failing.slice(0, 40), ...latencies.slice(0, 10).map(() => null)]), 'p95').change,
    ).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('failures', () => {
  const failing = (indices: readonly number[], factor = 1) =>
    runOf(latencies.map((ms, index) => (indices.includes(index) ? null : ms * factor)))

  test('on both sides leave a pair out', () => {
    expect(compared(failing([1, 2, 3]), failing([1, 2, 3], 1.2))).toMatchObject({ pairs: 47, outcome: 'regressed' })
  })

  test('as many on either side cancel out', () => {
    expect(compared(failing([1, 2, 3]), failing([4, 5, 6]))).toMatchObject({ change: 0 })
  })

  test('more on the head than a tenth make it infinitely slow', () => {
    expect(compared(failing([]), failing([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))).toMatchObject({
      change: Number.POSITIVE_INFINITY,
      outcome: 'regressed',
    })
    expect(compared(failing([]), failing([0]))).toMatchObject({ change: 0 })
  })

  test('of the base alone excuse no slower head', () => {
    expect(compared(failing([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), failing([], 1.2))).toMatchObject({ outcome: 'regressed' })
  })
})

describe('what is decided', () => {
  const noisy = (factor: number, seed: number) => {
    const random = seededRandom(seed)
    return runOf(latencies.map((ms) => ms * factor * (0.9 + 0.2 * random())))
  }

  test('held within the tolerance, regressed beyond it, else inconclusive with what would decide it', () => {
    expect(compared(noisy(1, 1), noisy(1, 2), 'typical', 0.05).outcome).toBe('held')
    expect(compared(noisy(1, 1), noisy(1.1, 2), 'typical', 0.05).outcome).toBe('regressed')
    const open = compared(noisy(1, 1), noisy(1.06, 2), 'typical', 0.05)
    expect(open.outcome).toBe('inconclusive')
    expect(open.sessionsToDecide).toBeGreaterThan(50)
  })

  test('what it can detect lies beyond the tolerance by more than half the interval', () => {
    const { detectable, interval } = compared(noisy(1, 1), noisy(1, 2), 'typical', 0.05)
    expect(detectable).toBeGreaterThan(0.05 + (interval.high - interval.low) / 2)
  })

  test('nothing is regressed by less than the absolute floor', () => {
    expect(compared(runOf([1, 1, 1]), runOf([1.5, 1.5, 1.5]))).toMatchObject({ outcome: 'held' })
  })
})

describe('success rates', () => {
  const failing = (share: number, sessions = 100) =>
    runOf(Array.from({ length: sessions }, (_, index) => (index < share * sessions ? null : 1_000)))

  test('a drop that the exact test sees', () => {
    expect(rates(failing(0), failing(0.06))).toMatchObject({ outcome: 'regressed', lost: 6, gained: 0, base: 1, head: 0.94 })
    expect(rates(failing(0), failing(0.06)).probability).toBeCloseTo(1 / 64, 10)
  })

  test('a drop that may be chance', () => {
    const change = rates(failing(0), failing(0.05))
    expect(change).toMatchObject({ outcome: 'inconclusive', detectable: 0.06 })
    expect(change.sessionsToDecide).toBeLessThan(150)
  })

  test('held: no drop, one within the tolerance, a rise', () => {
    expect(rates(failing(0.1), failing(0.1))).toMatchObject({ outcome: 'held', change: 0, lost: 0 })
    expect(rates(failing(0), failing(0.01))).toMatchObject({ outcome: 'held' })
    expect(rates(failing(0.2), failing(0))).toMatchObject({ outcome: 'held', gained: 20, change: 0.2 })
    expect(rates(failing(0), failing(0.2), 0.25)).toMatchObject({ outcome: 'held' })
  })

  test('the interval holds the change, and lies within what is possible', () => {
    for (const [before, after] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [0.5, 0.1],
    ] as const) {
      const { change, interval } = rates(failing(before), failing(after))
      expect(interval.low).toBeLessThanOrEqual(change)
      expect(interval.high).toBeGreaterThanOrEqual(change)
      expect(interval.low).toBeGreaterThanOrEqual(-1)
      expect(interval.high).toBeLessThanOrEqual(1)
    }
  })
})

describe('sessions that one side lacks', () => {
  test('are refused', () => {
    expect(() => compared(runOf([1, 2]), runOf([1]))).toThrow('of 2 in all, the base run lacks 0 and the head run 1')
  })

  test('are not all that must be the same: so must what was done with them', () => {
    const policy = { timeScale: 1, maxWaitMs: 15_000, substitute: 'live', stream: true, isolateCache: 'duplicates' } as const
    const hurried = { policy: { ...policy, timeScale: 0.5 } }
    expect(() => compared(runOf([1, 2], { policy }), runOf([1, 2], hurried))).toThrow(
      '`timeScale` was 1 on the base and 0.5 on the head',
    )
    expect(compared(runOf([1, 2], { policy }), runOf([1, 2], { policy })).pairs).toBe(2)
    expect(compared(runOf([1, 2]), runOf([1, 2], hurried)).pairs).toBe(2)
  })

  test('count as not finished where its stage had ended', () => {
    const cut = { stages: [stageRecord({ neverStarted: 25 })] }
    expect(compared(runOf(latencies), runOf(latencies.slice(0, 25), cut))).toMatchObject({ outcome: 'regressed' })
    expect(rates(runOf(latencies), runOf(latencies.slice(0, 25), cut))).toMatchObject({ lost: 25 })
  })
})

test('names the sessions that slowed most', () => {
  const side = (record: RunRecord) => ({ measured: record, record })
  const { slowed } = compareRuns(side(runOf([100, 100, 100, null])), side(runOf([150, 90, 300, 100])), { latencies: [] })
  expect(slowed).toEqual([
    { id: 's2', baseMs: 100, headMs: 300 },
    { id: 's0', baseMs: 100, headMs: 150 },
  ])
})

test('call metrics pair call by call, and draw the calls of a session together', () => {
  const calls = (factor: number) => {
    const sessions = Array.from({ length: 30 }, (_, index) => sessionRecord({ id: `s${index}` }))
    return runRecord({
      sessions,
      requests: sessions.flatMap(({ id }, index) =>
        Array.from({ length: 10 }, (_, call) =>
          requestRecord({ session: id, call: `c${call}`, firstOutputMs: 100 * (1 + call) * (index % 2 === 0 ? factor : 1) }),
        ),
      ),
    })
  }
  const side = (record: RunRecord) => ({ measured: record, record })
  const latencies = [{ metric: 'timeToFirstToken', figure: 'typical', tolerance: { relative: 0.05, absoluteMs: 1 } }] as const
  const [change] = compareRuns(side(calls(1)), side(calls(1.4)), { latencies }).changes
  expect(change).toMatchObject({ pairs: 300, sessions: 30 })
  // Half of the sessions are 40 % slower, wholly: thirty things were seen, not three hundred.
  const { interval } = change as LatencyChange
  expect(interval.high - interval.low).toBeGreaterThan(0.1)
})
