import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../base/index.ts'
import type { RequestRecord, Run } from '../../metrics/index.ts'
import '../matchers.ts'
import { madeRun, messageOf } from '../run.fixture.ts'
import type { RegressionLimits, RegressionOptions } from './regression-limits.ts'

/** Sessions of 1 to 10 s, each with noise of its own. */
function noisy({ slower = 1, sessions = 100, seed = 1, noise = 0.1 } = {}): Run {
  const random = seededRandom(seed)
  const latencies = Array.from({ length: sessions }, (_, index) => {
    const recordedMs = 1_000 + (9_000 * ((index * 37) % sessions)) / sessions
    return Math.round(recordedMs * slower * (1 + noise * (random() + random() - 1)))
  })
  const run = madeRun({ succeeded: latencies })
  // The recording says that long sessions are long: one token for every ten of the base's milliseconds.
  const requests = run.record.requests.map(
    (request): RequestRecord => ({ ...request, plannedOutputTokens: Math.round((request.endMs ?? 0) / slower / 500) }),
  )
  return madeRun({ succeeded: latencies, differs: { requests } })
}

const base = noisy({ seed: 1 })
const same = noisy({ seed: 2 })
const slower = noisy({ seed: 3, slower: 1.15 })

describe('.not', () => {
  test('holds for runs that differ by noise alone', () => {
    expect(same).not.toRegressFrom(base)
    expect(same).not.toRegressFrom(
      base,
      { workflowLatency: { typical: '5%', tail: '5%' }, sessionSuccessRate: 0.01 },
      { onInconclusive: 'fail' },
    )
  })

  test('fails for a run that is slower beyond the tolerance, and shows both sides', () => {
    expect(
      messageOf(() => expect(slower).not.toRegressFrom(base, { workflowLatency: { typical: '5%', tail: '10%', p95: '20%' } })),
    ).toMatchInlineSnapshot(`
      "expect(head).not.toRegressFrom(base, { workflowLatency: { typical: '5%', tail: '10%', p95: '20%' } })

      Scenario: support agents
      Expected:   workflow latency typical ≤ +5%
                  workflow latency tail ≤ +10%
                  workflow latency p95 ≤ +20%
      Received: ✗ workflow latency typical +14.9%, 9.9 points over
                ? workflow latency tail +13.1%, inconclusive
                ? workflow latency p95 +16.9%, inconclusive

      Measured over 100 sessions (100 succeeded) and 100 requests.
      workflow latency tail: 20 sessions do not decide it; a run of about 172 would,
      if the estimate holds.
      workflow latency p95: 100 sessions do not decide it; a run of about 340 would,
      if the estimate holds.

      Base and head, pair by pair
        figure                     base   head     95% interval  can detect
        workflow latency typical  4.71s  5.41s  +13.7% … +16.1%       +6.6%
        workflow latency tail     9.15s  10.3s   +9.1% … +17.5%        +16%
        workflow latency p95      9.45s    11s   +9.3% … +22.7%      +30.3%

      Sessions slowed most
        good-44   8.4s → 11.5s  +37%
        good-94  4.26s → 5.49s  +29%
        good-99  3.08s → 3.94s  +28%"
    `)
  })

  test('holds for what is tolerated', () => {
    expect(slower).not.toRegressFrom(base, { workflowLatency: { typical: '20%' } }, { onInconclusive: 'fail' })
  })

  test('holds for what is slower by less than the absolute floor, be it as large a share as it may', () => {
    const limits = (absolute: string) => ({ workflowLatency: { typical: { relative: '5%', absolute } } }) as const
    expect(slower).not.toRegressFrom(base, limits('2s'), { onInconclusive: 'fail' })
    expect(slower).toRegressFrom(base, limits('100ms'))
    expect(messageOf(() => expect(slower).toRegressFrom(base, limits('2s')))).toContain('in all, below 2s')
  })
})

describe('where the sessions do not decide', () => {
  const few = {
    base: noisy({ sessions: 12, noise: 0.4, seed: 4 }),
    head: noisy({ sessions: 12, noise: 0.4, seed: 5, slower: 1.07 }),
  }

  test('it passes', () => {
    expect(few.head).not.toRegressFrom(few.base)
  })

  test('it fails on demand, and says how many would', () => {
    expect(
      messageOf(() =>
        expect(few.head).not.toRegressFrom(few.base, { workflowLatency: { typical: '5%' } }, { onInconclusive: 'fail' }),
      ),
    ).toMatchInlineSnapshot(`
      "expect(head).not.toRegressFrom(base, { workflowLatency: { typical: '5%' } }, { onInconclusive: 'fail' })

      Scenario: support agents
      Expected: workflow latency typical ≤ +5%
      Received: workflow latency typical −5.8%, inconclusive

      Measured over 12 sessions (12 succeeded) and 12 requests.
      workflow latency typical: 12 sessions do not decide it; a run of about 52 would,
      if the estimate holds.

      Base and head, pair by pair
        figure                    base   head     95% interval  can detect
        workflow latency typical  4.5s  4.24s  −26.6% … +17.9%      +47.3%

      Sessions slowed most
        good-7  4.95s → 7.03s  +42%
        good-4  2.95s → 4.19s  +42%
        good-2   1.3s → 1.68s  +29%"
    `)
  })

  test('it is no regression either', () => {
    expect(() => expect(few.head).toRegressFrom(few.base)).toThrow('inconclusive')
  })
})

describe('without `.not`', () => {
  test('holds for a regression', () => {
    expect(slower).toRegressFrom(base)
    expect({ run: slower }).toEqual({ run: expect.toRegressFrom(base) })
  })

  test('fails where there is none', () => {
    expect(messageOf(() => expect(same).toRegressFrom(base, { workflowLatency: { typical: '5%' } }))).toMatchInlineSnapshot(`
      "expect(head).toRegressFrom(base, { workflowLatency: { typical: '5%' } })

      Scenario: support agents
      Expected: not workflow latency typical ≤ +5%
      Received: workflow latency typical −0.5%, 5.5 points to spare

      Measured over 100 sessions (100 succeeded) and 100 requests."
    `)
  })
})

describe('failures', () => {
  const sound = madeRun({ succeeded: Array.from({ length: 40 }, () => 1_000) })
  const failing = (share: number, seed = 1) => {
    const random = seededRandom(seed)
    const fails = new Set(sound.sessions.filter(() => random() < share).map(({ id }) => id))
    const failed = { state: 'failed', endMs: 1, error: { label: 'http_503', message: 'busy' } } as const
    return madeRun({
      differs: {
        sessions: sound.record.sessions.map((session) => (fails.has(session.id) ? { ...session, ...failed } : session)),
        requests: sound.record.requests.map((request) =>
          fails.has(request.session) ? { ...request, ...failed, firstOutputMs: null } : request,
        ),
      },
    })
  }

  test.each<RegressionLimits>([
    { workflowLatency: { typical: '5%' } },
    { workflowLatency: { tail: '10%' } },
    { workflowLatency: { p50: '20%' } },
    { workflowLatency: { p95: '50%' } },
    { requestLatency: { typical: '5%' } },
    { timeToFirstToken: { typical: '5%' } },
    { timePerOutputToken: { typical: '5%' } },
    { sessionSuccessRate: '1%' },
  ])('to fail half of the sessions at once turns a pass into a fail: %j', (limits) => {
    expect(failing(0)).not.toRegressFrom(sound, limits, { onInconclusive: 'fail' })
    expect(failing(0.5)).toRegressFrom(sound, limits)
  })

  test('as many on either side are no regression', () => {
    expect(failing(0.05, 1)).not.toRegressFrom(
      failing(0.05, 2),
      { workflowLatency: { typical: '5%' } },
      { onInconclusive: 'fail' },
    )
  })

  test('those of the base do not excuse a slower head', () => {
    const all = { ...sound.record, sessions: sound.record.sessions.map((session) => ({ ...session, endMs: 1_300 })) }
    expect(madeRun({ differs: all })).toRegressFrom(failing(0.5), { workflowLatency: { typical: '5%' } })
  })

  test('a success rate that dropped', () => {
    expect(messageOf(() => expect(failing(0.3)).not.toRegressFrom(sound))).toMatchInlineSnapshot(`
      "expect(head).not.toRegressFrom(base)

      Scenario: support agents
      Expected:   workflow latency typical ≤ +5%
                  workflow latency tail ≤ +10%
                  session success rate ≥ −1 point
      Received: ✗ workflow latency typical ∞, infinitely slow
                ✗ workflow latency tail ∞, infinitely slow
                ✗ session success rate −27.5 points, 26.5 points short

      Measured over 40 sessions (29 succeeded, 11 failed) and 40 requests.
      session success rate: 11 sessions succeeded on the base alone, 0 on the head
      alone (exact test p < 0.001).

      Base and head, pair by pair
        figure                    base   head        95% interval  can detect
        workflow latency typical    1s      ∞               ∞ … ∞           –
        workflow latency tail       1s      ∞               ∞ … ∞           –
        session success rate      100%  72.5%  −41 … −11.3 points  −15 points

      Errors
        http_503 × 11 in good-4, good-6, good-11 + 8 more
          busy"
    `)
  })

  test('a drop that may be chance is inconclusive', () => {
    expect(
      messageOf(() => expect(failing(0.05)).not.toRegressFrom(sound, { sessionSuccessRate: '1%' }, { onInconclusive: 'fail' })),
    ).toContain('session success rate: 40 sessions do not decide it; a run')
  })

  test('nothing succeeded on the base', () => {
    expect(messageOf(() => expect(sound).not.toRegressFrom(madeRun({ failed: 3 })))).toContain('different sessions')
    expect(messageOf(() => expect(sound).not.toRegressFrom(failing(1)))).toContain(
      'not gradable: so much failed on the base that there is no workflow',
    )
  })
})

describe('what cannot be compared fails, with `.not` and without', () => {
  const cases: [string, Run, Run, string][] = [
    [
      'an aborted run',
      madeRun({ succeeded: [1], differs: { aborted: 'timed out' } }),
      madeRun({ succeeded: [1] }),
      'of the head run, the run was aborted',
    ],
    [
      'an aborted base',
      madeRun({ succeeded: [1] }),
      madeRun({ succeeded: [1], differs: { aborted: 'timed out' } }),
      'of the base run, the run was aborted',
    ],
    [
      'another workload',
      madeRun({ succeeded: [1] }),
      madeRun({ succeeded: [1], differs: { workload: { name: 'other/*.json', hash: 'ff00', recordedSessions: 1 } } }),
      'the two runs replayed different sessions: the contents of',
    ],
    [
      'fewer sessions',
      madeRun({ succeeded: [1] }),
      madeRun({ succeeded: [1, 2] }),
      'the two runs replayed different sessions: of 2 in all, the base run lacks 0',
    ],
  ]
  test.each(cases)('%s', (_, head, base, reason) => {
    const messages = [messageOf(() => expect(head).not.toRegressFrom(base)), messageOf(() => expect(head).toRegressFrom(base))]
    for (const message of messages) expect(message.replaceAll(/\s+/g, ' ')).toContain(`Received: not gradable: ${reason}`)
  })

  test('a metric that no response carried', () => {
    const without = (run: Run) =>
      madeRun({
        succeeded: [1_000],
        differs: { requests: run.record.requests.map((request) => ({ ...request, outputChunks: 1 })) },
      })
    const run = madeRun({ succeeded: [1_000] })
    expect(
      messageOf(() => expect(without(run)).not.toRegressFrom(without(run), { timePerOutputToken: { typical: '5%' } })),
    ).toMatchInlineSnapshot(`
      "expect(head).not.toRegressFrom(base, { timePerOutputToken: { typical: '5%' } })

      Scenario: support agents
      Expected: TPOT typical ≤ +5%
      Received: not gradable: no session carried the metric on both sides: TPOT
                typical

      Measured over 1 session (1 succeeded) and 1 request."
    `)
  })
})

test('compares stages', () => {
  expect(slower.stages[0]).toRegressFrom(base.stages[0] ?? base)
  expect(messageOf(() => expect(slower.stages[0]).not.toRegressFrom(base.stages[0] ?? base))).toContain(', stage 1')
})

test('messages keep to 80 columns', () => {
  const limits = {
    workflowLatency: { typical: '5%' },
    requestLatency: { tail: '5%', 'p99.9': '1%' },
    sessionSuccessRate: '1%',
  } as const
  const [, ...body] = messageOf(() => expect(slower).not.toRegressFrom(base, limits)).split('\n')
  expect(Math.max(...body.map((line) => line.length))).toBeLessThanOrEqual(80)
})

describe('misuse', () => {
  test.each<[unknown, unknown, string]>([
    [{}, undefined, 'toRegressFrom: there is no limit to hold the run to. Give at least one of workflowLatency'],
    ['5%', undefined, "the limits are '5%', expected an object"],
    [null, undefined, 'the limits are null'],
    [{ ttft: { typical: '5%' } }, undefined, 'unknown metric `ttft`. Did you mean `timeToFirstToken`?'],
    [{ workflowLatncy: {} }, undefined, 'Did you mean `workflowLatency`?'],
    [{ workflowLatency: '5%' }, undefined, "`workflowLatency` is '5%', expected an object: `{ typical: '5%', tail: '10%' }`."],
    [{ workflowLatency: {} }, undefined, '`workflowLatency` has no limit.'],
    [{ workflowLatency: { median: '5%' } }, undefined, 'unknown figure `workflowLatency.median`. Did you mean `typical`?'],
    [{ workflowLatency: { p100: '5%' } }, undefined, 'unknown figure `workflowLatency.p100`.'],
    [
      { workflowLatency: { typical: 5 } },
      undefined,
      "`workflowLatency.typical` is 5, expected a share such as '5%' or 0.05. Did you mean '5%'?",
    ],
    [{ workflowLatency: { typical: '45s' } }, undefined, "is '45s', expected a share"],
    [{ workflowLatency: { typical: -0.05 } }, undefined, 'is -0.05, expected a share'],
    [{ workflowLatency: { typical: { absolute: '1s' } } }, undefined, '`workflowLatency.typical.relative` is undefined'],
    [{ workflowLatency: { typical: { relative: '5%', absolute: '1 parsec' } } }, undefined, 'is not a duration'],
    [{ workflowLatency: { typical: { relative: '5%', floor: 1 } } }, undefined, 'unknown option `workflowLatency.typical.floor`'],
    [
      { sessionSuccessRate: 1 },
      undefined,
      "`sessionSuccessRate` is 1, expected a share such as '5%' or 0.05. Did you mean '1%'?",
    ],
    [undefined, { onInconclusive: 'warn' }, "`onInconclusive` is 'warn', expected 'pass' | 'fail'."],
    [undefined, { inconclusive: 'fail' }, 'unknown option `inconclusive` in the third argument'],
    [undefined, 'fail', "the third argument is 'fail'"],
  ])('%j, %j', (limits, options, message) => {
    expect(() => expect(same).not.toRegressFrom(base, limits as RegressionLimits, options as RegressionOptions)).toThrow(message)
  })

  test('a base that is no run', () => {
    expect(() => expect(same).not.toRegressFrom({ base } as unknown as Run)).toThrow('The base run is wrong.')
    expect(() => expect({ head: same }).not.toRegressFrom(base)).toThrow('expected a run')
    expect(() => expect(base).not.toRegressFrom(base)).toThrow('the run is compared with itself')
  })
})
