import { expect, test } from 'vitest'
import { manualClock } from '../base/manual-clock.fixture.ts'
import { Corpus, type Workload } from '../workload/index.ts'
import { chain } from './graph.fixture.ts'
import type { StagePlan } from './options-schema.ts'
import { runStage } from './stage-run.ts'
import { failing, virtualRun } from './virtual-run.fixture.ts'

const sessions = (count: number, calls = 1) => Array.from({ length: count }, (_, i) => chain(`s${i}`, calls))

test('never more sessions in flight than asked for, and never fewer while some are left', async () => {
  const run = await virtualRun({ graphs: sessions(20, 2), stages: [{ concurrentSessions: 4 }] })
  expect(run.peakInFlight).toBe(4)
  expect(run.recorder.sessions.map((session) => session.endMs)).toEqual(
    [200, 400, 600, 800, 1000].flatMap((end) => Array(4).fill(end)),
  )
})

test('sessions start in the order of the workload', async () => {
  const run = await virtualRun({ graphs: sessions(6), stages: [{ concurrentSessions: 2 }] })
  expect(run.recorder.sessions.map((session) => session.id)).toEqual(['s0', 's1', 's2', 's3', 's4', 's5'])
})

test('a limit of 0 starts all at once', async () => {
  const run = await virtualRun({ graphs: sessions(200), stages: [{ concurrentSessions: 0 }] })
  expect(run.peakInFlight).toBe(200)
  expect(run.recorder.stages[0]?.concurrentSessions).toBe(0)
})

test('a think time keeps its slot', async () => {
  const run = await virtualRun({ graphs: [chain('a', 2, 1_000), chain('b', 1)], stages: [{ concurrentSessions: 1 }] })
  expect(run.recorder.sessions.map((session) => session.startMs)).toEqual([0, 1_200])
})

test('stages draw consecutive slices', async () => {
  const run = await virtualRun({
    graphs: sessions(5),
    stages: [{ concurrentSessions: 1, sessions: 2 }, { concurrentSessions: 3 }],
  })
  expect(run.recorder.sessions.map(({ id, stage }) => `${stage}:${id}`)).toEqual(['0:s0', '0:s1', '1:s2', '1:s3', '1:s4'])
})

test('a stage without a number of its own replays the whole workload when nothing of it is left', async () => {
  const run = await virtualRun({
    graphs: sessions(2),
    stages: [{ concurrentSessions: 1, sessions: 2 }, { concurrentSessions: 2 }],
  })
  expect(run.recorder.sessions.map(({ id, stage }) => `${stage}:${id}`)).toEqual(['0:s0', '0:s1', '1:s0#2', '1:s1#2'])
})

test('more sessions than the workload holds repeat it, each repetition under a name and a marker of its own', async () => {
  const run = await virtualRun({ graphs: sessions(2), stages: [{ concurrentSessions: 1, sessions: 5 }] })
  expect(run.recorder.sessions.map((session) => session.id)).toEqual(['s0', 's1', 's0#2', 's1#2', 's0#3'])
  expect(run.recorder.sessions.map((session) => session.recorded)).toEqual(['s0', 's1', 's0', 's1', 's0'])
  const heads = run.sent.map(({ request }) => JSON.stringify(request.messages[0]))
  expect(new Set(heads.slice(0, 2)).size).toBe(1)
  expect(new Set(heads.slice(1)).size).toBe(4)
})

test('a rate spaces the starts, whatever the room', async () => {
  const run = await virtualRun({ graphs: sessions(5), stages: [{ concurrentSessions: 0, sessionRate: 4 }] })
  expect(run.recorder.sessions.map((session) => session.startMs)).toEqual([0, 250, 500, 750, 1_000])
})

test('a rate below all measure lets one session arrive, and the next one never', async () => {
  const run = await virtualRun({
    graphs: sessions(3),
    stages: [{ concurrentSessions: 0, sessionRate: Number.MIN_VALUE, duration: '1s' }],
  })
  expect(run.recorder.sessions.map(({ intendedMs }) => intendedMs)).toEqual([0])
})

test('a session that had to wait for room keeps the start that was intended', async () => {
  const run = await virtualRun({ graphs: sessions(3), stages: [{ concurrentSessions: 1, sessionRate: 100 }] })
  expect(run.recorder.sessions.map(({ intendedMs, startMs }) => [intendedMs, startMs])).toEqual([
    [0, 0],
    [10, 100],
    [20, 200],
  ])
})

test('after its duration a stage starts nothing more, and what is in flight ends', async () => {
  const run = await virtualRun({ graphs: sessions(3), stages: [{ concurrentSessions: 2, duration: '250ms' }] })
  expect(run.recorder.sessions).toHaveLength(6)
  expect(run.recorder.sessions.every((session) => session.state === 'succeeded')).toBe(true)
  expect(run.recorder.stages[0]?.endMs).toBe(300)
})

/** Down from the third request on until a time. */
const downUntil = (upAgainMs: number) => (_: unknown, n: number, nowMs: number) =>
  n < 2 || nowMs >= upAgainMs ? {} : { result: failing('connect_refused'), latencyMs: 1, connects: false }

test('a server that is down is tried once a second for each session in flight, until it is up or the time is over', async () => {
  const stages = [{ concurrentSessions: 2, duration: '10s' }] as const
  const down = await virtualRun({ graphs: sessions(3), stages }, downUntil(Number.POSITIVE_INFINITY))
  const failed = down.recorder.sessions.filter(({ state }) => state === 'failed')
  expect(failed.length).toBeGreaterThanOrEqual(2 * 9)
  expect(failed.length).toBeLessThanOrEqual(2 * 10)
  expect(down.recorder.stages[0]?.endMs).toBe(10_000)
  expect(down.clock.pending).toBe(0)
  const back = await virtualRun({ graphs: sessions(3), stages }, downUntil(5_000))
  expect(back.recorder.sessions.filter(({ state }) => state === 'failed').length).toBeLessThanOrEqual(2 * 5)
  expect(back.recorder.sessions.filter(({ state }) => state === 'succeeded').length).toBeGreaterThan(2 * 40)
})

test('where the sessions are counted, or arrive at a rate, one that fails makes room at once', async () => {
  const down = downUntil(Number.POSITIVE_INFINITY)
  const counted = await virtualRun(
    { graphs: sessions(50), stages: [{ concurrentSessions: 2, duration: '10s', sessions: 50 }] },
    down,
  )
  expect(counted.recorder.stages[0]?.endMs).toBeLessThan(1_000)
  const arriving = await virtualRun(
    { graphs: sessions(50), stages: [{ concurrentSessions: 1, duration: '1s', sessionRate: 20 }] },
    down,
  )
  expect(arriving.recorder.sessions).toHaveLength(20)
})

test('sessions read ahead by a timed stage are not lost to the next one', async () => {
  const run = await virtualRun({
    graphs: sessions(40),
    stages: [
      { concurrentSessions: 1, duration: '250ms' },
      { concurrentSessions: 1, sessions: 2 },
    ],
  })
  expect(run.recorder.sessions.map(({ id, stage }) => `${stage}:${id}`)).toEqual(['0:s0', '0:s1', '0:s2', '1:s3', '1:s4'])
})

test('at its timeout a stage cuts off what is in flight and says what never started', async () => {
  const run = await virtualRun({ graphs: sessions(5, 3), stages: [{ concurrentSessions: 2, timeout: '150ms' }] })
  expect(run.recorder.sessions).toMatchObject([
    { state: 'cut-off', calls: { succeeded: 1, failed: 0, cancelled: 0, cutOff: 2 }, endMs: 150 },
    { state: 'cut-off', calls: { succeeded: 1, failed: 0, cancelled: 0, cutOff: 2 }, endMs: 150 },
  ])
  expect(run.clock.pending).toBe(0)
})

test.each([
  ['a workload that was read to its end', 40, {}, 36],
  ['a pass that repeats it', 3, { duplicateTo: 200 }, 196],
  // 64 are read ahead.
  ['a workload that was not read to its end, as far as it was', 200, {}, 60],
])('of a stage without a number of its own, what was left at its timeout never started: %s', async (_name, count, more, left) => {
  const stages = [{ concurrentSessions: 0, sessionRate: 10, timeout: '350ms' }]
  const run = await virtualRun({ graphs: sessions(count), stages, ...more }, () => ({ latencyMs: 20 }))
  expect(run.recorder.sessions.map(({ state }) => state)).toEqual(Array(4).fill('succeeded'))
  expect(run.recorder.stages[0]?.neverStarted).toBe(left)
  expect(run.recorder.warnings.map(({ code }) => code)).toContain('sessions-never-started')
})

test('a stage that was read to its end and replayed in time misses nothing', async () => {
  const stages = [{ concurrentSessions: 0, sessionRate: 10, timeout: '350ms' }]
  const run = await virtualRun({ graphs: sessions(4), stages }, () => ({ latencyMs: 200 }))
  expect(run.recorder.sessions.map(({ state }) => state).sort()).toEqual(['cut-off', 'cut-off', 'succeeded', 'succeeded'])
  expect(run.recorder.stages[0]).not.toHaveProperty('neverStarted')
})

test('sessions that were asked for and never started are warned of', async () => {
  const run = await virtualRun({ graphs: sessions(5, 3), stages: [{ concurrentSessions: 2, sessions: 5, timeout: '150ms' }] })
  expect(run.recorder.warnings).toMatchObject(
    [{ code: 'sessions-never-started', where: 'stages[0]', message: /^3 of/ }].map(({ message, ...rest }) => ({
      ...rest,
      message: expect.stringMatching(message),
    })),
  )
})

test('a timeout ends its own stage only', async () => {
  const run = await virtualRun({
    graphs: sessions(4, 2),
    stages: [
      { concurrentSessions: 1, sessions: 1, timeout: '50ms' },
      { concurrentSessions: 1, sessions: 1 },
    ],
  })
  expect(run.recorder.sessions.map((session) => session.state)).toEqual(['cut-off', 'succeeded'])
})

test('an abort ends everything at once and keeps what was measured', async () => {
  const controller = new AbortController()
  const run = await virtualRun(
    { graphs: sessions(10, 3), stages: [{ concurrentSessions: 2 }, { concurrentSessions: 1 }], signal: controller.signal },
    undefined,
    (clock) => {
      if (clock.now() >= 400) controller.abort()
    },
  )
  expect(run.recorder.sessions.map((session) => session.state)).toEqual(['succeeded', 'succeeded', 'cut-off', 'cut-off'])
  expect(run.recorder.stages).toHaveLength(1)
  expect(run.clock.pending).toBe(0)
})

test('a failed session makes room like any other', async () => {
  const run = await virtualRun({ graphs: sessions(6, 2), stages: [{ concurrentSessions: 1 }] }, (_, n) =>
    n % 3 === 1 ? { result: failing() } : {},
  )
  expect(run.recorder.sessions).toHaveLength(6)
})

test('a target that refuses everything from the start ends the run with one error', async () => {
  const refused = () => ({ result: failing('connect_refused') })
  await expect(virtualRun({ graphs: sessions(100), stages: [{ concurrentSessions: 3 }] }, refused)).rejects.toMatchObject({
    code: 'TARGET_UNREACHABLE',
    message: expect.stringContaining('the server said connect_refused'),
  })
})

test('a target that refuses after it has answered is measured', async () => {
  const run = await virtualRun({ graphs: sessions(10), stages: [{ concurrentSessions: 2 }] }, (_, n) =>
    n > 0 ? { result: failing('connect_refused') } : {},
  )
  expect(run.recorder.sessions.filter((session) => session.state === 'failed')).toHaveLength(9)
})

test('errors of the server are no sign of a wrong target', async () => {
  const run = await virtualRun({ graphs: sessions(10), stages: [{ concurrentSessions: 2 }] }, () => ({
    result: failing('http_503' as `http_${number}`),
  }))
  expect(run.recorder.sessions).toHaveLength(10)
})

test('progress counts sessions and requests as they come and go', async () => {
  const seen: string[] = []
  await virtualRun(
    {
      graphs: sessions(4, 4),
      stages: [{ concurrentSessions: 2, sessions: 4 }],
      onProgress: ({ elapsedMs, sessions: s, requests: r }) =>
        seen.push(`${elapsedMs}: ${s.succeeded}/${s.total} +${s.inFlight}, ${r.succeeded} +${r.inFlight}`),
    },
    (_, n) => (n === 0 ? {} : { latencyMs: 110 }),
  )
  expect(seen[0]).toBe('250: 0/4 +2, 4 +2')
  expect(seen.at(-1)).toMatch(/4\/4 \+0, 16 \+0$/)
})

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('no terminal')
    },
  ],
  ['rejects', () => Promise.reject(new Error('no terminal'))],
])('a callback for progress that %s costs its calls, not the run', async (_how, fail) => {
  let calls = 0
  const run = await virtualRun({
    graphs: sessions(4, 8),
    stages: [{ concurrentSessions: 2 }],
    onProgress: () => {
      calls++
      return fail() as undefined
    },
  })
  expect(run.recorder.sessions.map(({ state }) => state)).toEqual(Array(4).fill('succeeded'))
  expect(run.recorder.warnings).toMatchObject([
    { code: 'progress-callback-failed', message: expect.stringContaining('(no terminal)') },
  ])
  expect(calls).toBe(1)
})

test('an empty workload is an error', async () => {
  await expect(virtualRun({ graphs: [], stages: [{ concurrentSessions: 1 }] })).rejects.toMatchObject({ code: 'EMPTY_WORKLOAD' })
})

test('a ramp up gives room for one more session each time its share of the ramp has passed', async () => {
  const run = await virtualRun({
    graphs: sessions(6),
    stages: [{ concurrentSessions: { from: 1, to: 4, over: '300ms' } }],
  })
  const starts = run.recorder.sessions.map(({ startMs }) => Math.round(startMs ?? -1)).sort((a, b) => a - b)
  expect(starts).toEqual([0, 100, 100, 200, 200, 200])
  expect(run.recorder.stages[0]?.concurrentSessions).toBe(4)
})

test('a ramp makes room while sessions are long, not only when one ends', async () => {
  const run = await virtualRun({ graphs: sessions(3), stages: [{ concurrentSessions: { from: 1, to: 3, over: '2s' } }] }, () => ({
    latencyMs: 60_000,
  }))
  expect(run.recorder.sessions.map(({ startMs }) => Math.round(startMs ?? -1))).toEqual([0, 1_000, 2_000])
})

test('a ramp down starts no session until fewer are in flight than it allows', async () => {
  const run = await virtualRun({
    graphs: sessions(8),
    stages: [{ concurrentSessions: { from: 3, to: 1, over: '100ms' } }],
  })
  expect(run.peakInFlight).toBe(3)
  expect(run.recorder.sessions.map(({ startMs }) => startMs)).toEqual([0, 0, 0, 100, 200, 300, 400, 500])
})

test('Poisson arrivals keep the rate, are uneven, and are the same in each run', async () => {
  const options = { graphs: sessions(400), stages: [{ concurrentSessions: 0, sessionRate: 10, arrivals: 'poisson' }] } as const
  const [one, other] = await Promise.all([virtualRun(options), virtualRun(options)])
  const arrivals = one.recorder.sessions.map(({ intendedMs }) => intendedMs)
  expect(other.recorder.sessions.map(({ intendedMs }) => intendedMs)).toEqual(arrivals)
  const gaps = arrivals.slice(1).map((at, k) => at - (arrivals[k] ?? 0))
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length)
  // Of 399 exponential gaps of 100 ms, both lie within four standard errors.
  expect(Math.abs(mean - 100)).toBeLessThan(20)
  expect(Math.abs(deviation / mean - 1)).toBeLessThan(0.3)
})

test('arrivals do not wait for a slow server, and latency counts from the arrival', async () => {
  const slow = await virtualRun({ graphs: sessions(10), stages: [{ concurrentSessions: 1, sessionRate: 10 }] }, () => ({
    latencyMs: 200,
  }))
  const latencies = slow.recorder.sessions.map(({ intendedMs, endMs, openLoop }) => openLoop && endMs - intendedMs)
  // Ten a second come, five are served: each waits 100 ms longer than the one before.
  expect(latencies).toEqual(Array.from({ length: 10 }, (_, k) => 200 + 100 * k))
})

test('a pass repeats the workload up to the number asked for, and the next stage goes on behind it', async () => {
  const run = await virtualRun({
    graphs: sessions(3),
    duplicateTo: 5,
    stages: [{ concurrentSessions: 1 }, { concurrentSessions: 1, sessions: 2 }],
  })
  expect(run.recorder.sessions.map(({ id, stage }) => `${stage}:${id}`)).toEqual([
    '0:s0',
    '0:s1',
    '0:s2',
    '0:s0#2',
    '0:s1#2',
    '1:s2#2',
    '1:s0#3',
  ])
})

test('fewer duplicates than sessions are a shorter pass', async () => {
  const run = await virtualRun({ graphs: sessions(5), duplicateTo: 2, stages: [{ concurrentSessions: 1 }] })
  expect(run.recorder.sessions.map(({ id }) => id)).toEqual(['s0', 's1'])
})

test('a shuffled pass has every session once, in an order of the seed, and another one in the next pass', async () => {
  const order = async (shuffle: number) => {
    const run = await virtualRun({ graphs: sessions(20), shuffle, stages: [{ concurrentSessions: 1, sessions: 40 }] })
    return run.recorder.sessions.map(({ recorded }) => recorded)
  }
  const [one, same, other] = [await order(1), await order(1), await order(2)]
  expect(same).toEqual(one)
  expect(other).not.toEqual(one)
  const [first, second] = [one.slice(0, 20), one.slice(20)]
  expect(second).not.toEqual(first)
  expect(new Set(first).size).toBe(20)
  expect(new Set(second).size).toBe(20)
})

test('all that start at once have been read before the first one starts, and no more than a few beyond', async () => {
  for (const [concurrentSessions, readFirst] of [
    [150, 150],
    [2, 64],
    [Number.POSITIVE_INFINITY, 200],
  ] as const) {
    const happened: ('read' | 'start')[] = []
    const workload: Workload = {
      name: 'watched',
      async *open() {
        for (const graph of sessions(200)) {
          happened.push('read')
          yield graph
        }
      },
    }
    const context = { cwd: '.', warn: () => {}, onInvalidTrace: 'fail' } as const
    await runStage(stagePlan(concurrentSessions), {
      clock: manualClock(),
      corpus: new Corpus(workload, context, 'none'),
      seed: 0,
      signal: new AbortController().signal,
      replaySession: async () => {
        happened.push('start')
        return { startMs: 0 }
      },
    })
    expect(happened.indexOf('start')).toBe(readFirst)
    expect(happened.filter((what) => what === 'start')).toHaveLength(200)
  }
})

test('an abort ends the reading ahead', async () => {
  const run = new AbortController()
  let read = 0
  const workload: Workload = {
    name: 'without end',
    async *open() {
      for (;;) {
        if (++read === 100) run.abort()
        yield chain(`s${read}`, 1)
      }
    },
  }
  const context = { cwd: '.', warn: () => {}, onInvalidTrace: 'fail' } as const
  await runStage(stagePlan(10_000), {
    clock: manualClock(),
    corpus: new Corpus(workload, context, 'none'),
    seed: 0,
    signal: run.signal,
    replaySession: () => expect.unreachable(),
  })
  expect(read).toBe(100)
})

function stagePlan(concurrentSessions: number): StagePlan {
  return {
    concurrentSessions,
    ramp: null,
    sessions: null,
    sessionRate: null,
    arrivals: 'fixed',
    durationMs: null,
    timeoutMs: null,
    warmup: false,
  }
}
