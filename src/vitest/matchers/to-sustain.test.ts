import { describe, expect, test } from 'vitest'
import type { Capacity, CapacityPoint } from '../../stats/index.ts'
import '../matchers.ts'
import { madeRun, messageOf } from '../run.fixture.ts'
import type { SustainedLoad } from './to-sustain.ts'

function point(concurrentSessions: number, differs: Partial<CapacityPoint> = {}): CapacityPoint {
  return {
    concurrentSessions,
    measurements: 1,
    sessions: 120,
    met: true,
    certain: true,
    cutShort: false,
    sessionSuccessRate: 1,
    workflowLatencyP95Ms: 12_000 + concurrentSessions * 800,
    sessionsPerSecond: concurrentSessions / 14,
    requestsPerSecond: concurrentSessions / 2,
    outputTokensPerSecond: concurrentSessions * 61,
    limits: [],
    ...differs,
  }
}

const capacity: Capacity = {
  name: 'support agents',
  outcome: 'found',
  concurrentSessions: 38,
  lowestFailing: 40,
  range: { from: 10, to: 200 },
  slo: ['session success rate ≥ 99%', 'workflow latency p95 ≤ 45s'],
  warnings: [],
  curve: [
    point(10),
    point(20),
    point(38, { certain: false, measurements: 3 }),
    point(40, { met: false, certain: false, measurements: 3, sessionSuccessRate: 0.994, workflowLatencyP95Ms: 45_800 }),
    point(80, { met: false, cutShort: true, sessions: 31, sessionSuccessRate: 0.968, workflowLatencyP95Ms: 71_000 }),
  ],
}

test('holds up to the knee', () => {
  expect(capacity).toSustain({ concurrentSessions: 38 })
  expect(capacity).toSustain({ concurrentSessions: 1 })
  expect(capacity).not.toSustain({ concurrentSessions: 39 })
  expect(capacity).not.toSustain({ concurrentSessions: 500 })
  expect({ capacity }).toEqual({ capacity: expect.toSustain({ concurrentSessions: 20 }) })
})

test('shows the curve', () => {
  expect(messageOf(() => expect(capacity).toSustain({ concurrentSessions: 50 }))).toMatchInlineSnapshot(`
    "expect(capacity).toSustain({ concurrentSessions: 50 })

    Scenario: support agents
    Expected: 50 sessions at once within the SLO
    Received: 38 sessions at once, 40 are too many

    SLO: session success rate ≥ 99%, workflow latency p95 ≤ 45s
       sessions  success  workflow p95  sessions/s  requests/s  output tok/s
    ✓        10     100%           20s       0.714           5           610
    ✓        20     100%           28s        1.43          10         1,220
    ✓~       38     100%         42.4s        2.71          19         2,318
    ✗~       40    99.4%         45.8s        2.86          20         2,440
    ✗        80    96.8%      ≥ 1m 11s        5.71          40         4,880
    ~ may be chance; ≥ ended when it was clear that the SLO would not be met"
  `)
})

test('with .not', () => {
  expect(messageOf(() => expect(capacity).not.toSustain({ concurrentSessions: 20 }))).toMatchInlineSnapshot(`
    "expect(capacity).not.toSustain({ concurrentSessions: 20 })

    Scenario: support agents
    Expected: not 20 sessions at once within the SLO
    Received: 38 sessions at once, 40 are too many

    SLO: session success rate ≥ 99%, workflow latency p95 ≤ 45s
       sessions  success  workflow p95  sessions/s  requests/s  output tok/s
    ✓        10     100%           20s       0.714           5           610
    ✓        20     100%           28s        1.43          10         1,220
    ✓~       38     100%         42.4s        2.71          19         2,318
    ✗~       40    99.4%         45.8s        2.86          20         2,440
    ✗        80    96.8%      ≥ 1m 11s        5.71          40         4,880
    ~ may be chance; ≥ ended when it was clear that the SLO would not be met"
  `)
})

test('none at all', () => {
  const none = {
    ...capacity,
    outcome: 'below-range',
    concurrentSessions: 0,
    lowestFailing: 10,
    curve: [point(10, { met: false, sessions: 0 })],
  } as const
  expect(messageOf(() => expect(none).toSustain({ concurrentSessions: 10 }))).toMatchInlineSnapshot(`
    "expect(capacity).toSustain({ concurrentSessions: 10 })

    Scenario: support agents
    Expected: 10 sessions at once within the SLO
    Received: none, 10 are too many

    SLO: session success rate ≥ 99%, workflow latency p95 ≤ 45s
      sessions  success  workflow p95  sessions/s  requests/s  output tok/s
    ✗       10        –             –       0.714           5           610"
  `)
  expect(none).not.toSustain({ concurrentSessions: 10 })
  // Below what was tried: more is never easier, but fewer may be.
  expect(none).not.toSustain({ concurrentSessions: 500 })
})

describe('what the search does not know fails, under `.not` too', () => {
  const all: Capacity = { ...capacity, outcome: 'above-range', concurrentSessions: 200, lowestFailing: null, curve: [point(200)] }
  const stopped: Capacity = {
    ...capacity,
    outcome: 'unfinished',
    unfinished: 'its maxDuration of 60 s had passed',
    concurrentSessions: 20,
    lowestFailing: 80,
  }

  test('beyond the range', () => {
    expect(all).toSustain({ concurrentSessions: 200 })
    expect(messageOf(() => expect(all).toSustain({ concurrentSessions: 201 }))).toMatchInlineSnapshot(`
      "expect(capacity).toSustain({ concurrentSessions: 201 })

      Scenario: support agents
      Expected: 201 sessions at once within the SLO
      Received: not gradable: all 200 sessions at once met the SLO, and the search
                went no further. Raise \`concurrentSessions.to\`

      SLO: session success rate ≥ 99%, workflow latency p95 ≤ 45s
        sessions  success  workflow p95  sessions/s  requests/s  output tok/s
      ✓      200     100%        2m 52s        14.3         100        12,200"
    `)
    expect(messageOf(() => expect(all).not.toSustain({ concurrentSessions: 201 }))).toContain('not gradable')
  })

  test('before it had ended', () => {
    expect(stopped).toSustain({ concurrentSessions: 20 })
    expect(stopped).not.toSustain({ concurrentSessions: 80 })
    expect(messageOf(() => expect(stopped).toSustain({ concurrentSessions: 50 }))).toContain(
      'not gradable: the search ended early: its maxDuration of 60 s had',
    )
    expect(messageOf(() => expect(stopped).not.toSustain({ concurrentSessions: 50 }))).toContain('not gradable')
  })

  test('below the lowest that was tried', () => {
    const none: Capacity = { ...capacity, outcome: 'below-range', concurrentSessions: 0, lowestFailing: 10 }
    expect(messageOf(() => expect(none).toSustain({ concurrentSessions: 5 }))).toContain('Lower `concurrentSessions.from`')
  })
})

test('of a long curve shows the levels around the knee, within 80 columns', () => {
  const curve = Array.from({ length: 40 }, (_, index) => point(1_000 + index * 1_000, { met: index < 30 }))
  const long: Capacity = { ...capacity, concurrentSessions: 30_000, lowestFailing: 31_000, curve }
  const message = messageOf(() => expect(long).toSustain({ concurrentSessions: 50_000 }))
  expect(message).toContain('28 further levels are not shown')
  expect(message).toContain('30,000')
  expect(message).toContain('31,000')
  expect(Math.max(...message.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
})

describe('misuse', () => {
  test.each<[unknown, string]>([
    [50, 'toSustain: the load is 50, expected `{ concurrentSessions: 50 }`. Did you mean `{ concurrentSessions: 50 }`?'],
    [undefined, 'the load is undefined'],
    [{}, '`concurrentSessions` is undefined, expected a whole number above 0.'],
    [{ concurrentSessions: 0.5 }, '`concurrentSessions` is 0.5'],
    [{ concurrentSessions: '50' }, "`concurrentSessions` is '50'"],
    [{ concurrentSessions: 50, p95: '45s' }, 'unknown option `p95`'],
  ])('%j', (load, message) => {
    expect(() => expect(capacity).toSustain(load as SustainedLoad)).toThrow(message)
  })

  test.each<[unknown, string]>([
    [Promise.resolve(capacity), 'Did you forget to await it?'],
    [madeRun({ succeeded: [1] }), 'A run is one load'],
    [38, 'expected what findCapacity() gave, but received 38.'],
    [null, 'but received null'],
  ])('a receiver that is no capacity', (received, message) => {
    expect(() => expect(received).toSustain({ concurrentSessions: 1 })).toThrow(message)
  })
})
