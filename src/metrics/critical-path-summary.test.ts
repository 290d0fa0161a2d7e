import { expect, test } from 'vitest'
import { randomSessions, runOfSessions } from './random-run.fixture.ts'
import { Run } from './run.ts'
import { requestRecord, runRecord, sessionRecord } from './run-record.fixture.ts'

/** Plan, then, after a wait of 100 ms, one of two branches, whichever takes longer, then the synthesis. */
function session(id: string, branchMs: { left: number; right: number }, synthesisMs: number) {
  const times = (sentMs: number, tookMs: number) => ({ sentMs, firstOutputMs: sentMs + tookMs / 2, endMs: sentMs + tookMs })
  const branch = { after: ['plan'], readyMs: 100, waitMs: 100 }
  const joined = 200 + Math.max(branchMs.left, branchMs.right)
  const requests = [
    requestRecord({ session: id, call: 'plan', name: 'plan', ...times(0, 100) }),
    requestRecord({ session: id, call: 'left', name: 'left', ...branch, ...times(200, branchMs.left) }),
    requestRecord({ session: id, call: 'right', name: 'right', ...branch, ...times(200, branchMs.right) }),
    requestRecord({
      session: id,
      call: 'end',
      name: 'synthesis',
      after: ['left', 'right'],
      readyMs: joined,
      ...times(joined, synthesisMs),
    }),
  ]
  return { session: sessionRecord({ id, endMs: joined + synthesisMs }), requests }
}

function runOf(parts: readonly ReturnType<typeof session>[]): Run {
  return new Run(runRecord({ sessions: parts.map((part) => part.session), requests: parts.flatMap(({ requests }) => requests) }))
}

test('counts the sessions on whose path a call stands, and its share of the latency asked about', () => {
  const usual = Array.from({ length: 9 }, (_, index) => session(`u${index}`, { left: 300, right: 200 }, 400))
  const run = runOf([...usual, session('slow', { left: 100, right: 300 }, 1_400)])
  const { calls, sessions, around, split } = run.criticalPath(1)
  expect({ sessions, around }).toEqual({ sessions: 10, around: 1 })
  expect(calls).toEqual([
    { position: 3, name: 'synthesis', sessions: 10, share: 1_400 / 1_900 },
    { position: 2, name: 'right', sessions: 1, share: 300 / 1_900 },
    { position: 1, name: 'plan', sessions: 10, share: 100 / 1_900 },
    { position: 2, name: 'left', sessions: 9, share: 0 },
  ])
  expect(split).toEqual({ prefill: 900 / 1_900, decode: 900 / 1_900, wait: 100 / 1_900, lag: 0 })
  expect(run.criticalPath(0.5).calls[0]).toMatchObject({ name: 'synthesis', share: 400 / 900 })
})

test('the parts add up to the whole, whatever the sessions and the figure', () => {
  const run = new Run(runOfSessions(randomSessions(7, 60)))
  for (const quantile of [undefined, 0, 0.5, 0.95, 1]) {
    const { split, calls, around } = run.criticalPath(quantile)
    expect(around).toBeGreaterThan(0)
    expect(split.prefill + split.decode + split.wait + split.lag).toBeCloseTo(1)
    expect(calls.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(split.prefill + split.decode)
  }
})

test('failed sessions are not in it, and without another there is nothing', () => {
  const failed = session('f', { left: 1, right: 2 }, 3)
  const run = runOf([{ ...failed, session: { ...failed.session, state: 'failed' } }])
  expect(run.criticalPath(0.95)).toEqual({
    sessions: 0,
    around: 0,
    split: { prefill: 0, decode: 0, wait: 0, lag: 0 },
    calls: [],
  })
})
