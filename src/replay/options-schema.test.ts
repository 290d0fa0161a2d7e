import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ReplayOptions } from './options.ts'
import { planReplay } from './options-schema.ts'
import { workloadOf } from './virtual-run.fixture.ts'

const workload = workloadOf([])

function plan(options: object) {
  return planReplay({ workload, stages: [{ concurrentSessions: 1 }], ...options } as ReplayOptions)
}

test('fills in every default', () => {
  expect(plan({})).toEqual({
    name: 'sketched',
    workload,
    stages: [
      {
        concurrentSessions: 1,
        sessions: null,
        sessionRate: null,
        arrivals: 'fixed',
        ramp: null,
        durationMs: null,
        timeoutMs: null,
        warmup: false,
      },
    ],
    policy: {
      timeScale: 1,
      maxWaitMs: 15_000,
      substitute: 'live',
      onMalformedToolCall: 'use-recorded',
      onCallFailure: 'cancel-session',
      stream: true,
      includeConnect: false,
    },
    onInvalidTrace: 'fail',
    isolateCache: 'duplicates',
    order: { duplicateTo: null, shuffleSeed: null },
    threads: 1,
    journal: { folder: join(process.cwd(), '.trace-replay'), requests: true },
    cwd: process.cwd(),
  })
})

test.each([
  [{ timescale: 2 }, 'unknown option `timescale`. Did you mean `timeScale`?'],
  [{ stages: [{ concurrentSession: 2 }] }, 'Did you mean `concurrentSessions`?'],
  [{ stages: [{ concurrentSessions: 1, rate: 2 }] }, 'unknown option `stages[0].rate`'],
  [{ stages: [] }, '`stages` is an empty array, expected at least one stage'],
  [{ stages: [{ concurrentSessions: -1 }] }, '`stages[0].concurrentSessions` is -1, expected a number ≥ 0'],
  [{ stages: [{ concurrentSessions: 1.5 }] }, '`stages[0].concurrentSessions` is 1.5'],
  [{ stages: [{}] }, '`stages[0].concurrentSessions` is missing'],
  [{ stages: [{ concurrentSessions: 1, duration: '45 parsecs' }] }, 'stages[0].duration: "45 parsecs" is not a duration'],
  [
    { stages: [{ concurrentSessions: 1, timeout: true }] },
    "`stages[0].timeout` is true, expected milliseconds or text such as '45s'",
  ],
  [{ stages: [{ concurrentSessions: 'many' }] }, 'or a ramp such as'],
  [{ stages: [{ concurrentSessions: { from: 1, to: 5 } }] }, '`stages[0].concurrentSessions.over` is missing'],
  [
    { stages: [{ concurrentSessions: { from: 1, to: 5, over: 'soon' } }] },
    'stages[0].concurrentSessions.over: "soon" is not a duration',
  ],
  [{ stages: [{ concurrentSessions: 1, arrivals: 'poisson' }] }, 'stages[0].arrivals says how sessions arrive, but not how many'],
  [{ duplicateTo: 0 }, '`duplicateTo` is 0'],
  [{ shuffle: true }, '`shuffle` is true'],
  [{ maxWait: '1 fortnight' }, 'maxWait: "1 fortnight" is not a duration'],
  [{ timeScale: -1 }, '`timeScale` is -1'],
  [{ substitute: 'alive' }, "Did you mean 'live'?"],
  [{ workload: 'traces/*.json' }, "`workload` is 'traces/*.json', expected a workload such as traces('traces/*.json')"],
  [{ stages: [{ concurrentSessions: 1, warmup: true }] }, "`stages`: all are warm-ups, which a run's figures leave out"],
  [{ signal: 5 }, '`signal` is 5, expected an AbortSignal'],
])('%j is refused with %s', (options, message) => {
  expect(() => plan(options)).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(message) }),
  )
})

test('a bound of zero is no bound', () => {
  expect(plan({ stages: [{ concurrentSessions: 0, duration: 0, timeout: '0s' }] }).stages).toMatchObject([
    { concurrentSessions: Number.POSITIVE_INFINITY, durationMs: null, timeoutMs: null },
  ])
})
