import { expect, test } from 'vitest'
import type { RequestRecord, SessionRecord } from '../../metrics/index.ts'
import { replay } from '../../replay/index.ts'
import type { SimulatorOptions } from '../../simulator/index.ts'
import { traces } from '../../workload/index.ts'
import '../matchers.ts'
import { madeRun } from '../run.fixture.ts'

const sound = madeRun({ succeeded: Array.from({ length: 40 }, () => 1_000), gaps: Array.from({ length: 400 }, () => 20) })

/** Every other session fails at once, in a millisecond; half of the gaps are gone with them. */
const half = (() => {
  const fails = (id: string) => Number(id.split('-')[1]) % 2 === 0
  const error = { label: 'http_503', message: 'the server is overloaded' }
  const failed = { state: 'failed', error, endMs: 1 } as const
  const kept = madeRun({ gaps: Array.from({ length: 200 }, () => 20) })
  return madeRun({
    differs: {
      stages: kept.record.stages,
      sessions: sound.record.sessions.map((session): SessionRecord => (fails(session.id) ? { ...session, ...failed } : session)),
      requests: sound.record.requests.map(
        (request): RequestRecord =>
          fails(request.session)
            ? { ...request, ...failed, firstOutputMs: null, lastOutputMs: null, outputChunks: 0, outputTokens: null }
            : request,
      ),
    },
  })
})()

const limits = [{ p95: '1h' }, { p99: '1h' }, { max: '1h' }, { mean: '1h' }]
const matchers = [
  'toHaveWorkflowLatency',
  'toHaveRequestLatency',
  'toHaveTimeToFirstToken',
  'toHaveTimePerOutputToken',
  'toHaveInterTokenLatency',
] as const

test.each(matchers.flatMap((matcher) => limits.map((limit) => [matcher, limit] as const)))(
  'a server that fails half of its sessions at once does not pass %s(%j), which it would have passed',
  (matcher, limit) => {
    expect(sound)[matcher](limit)
    expect(half).not[matcher](limit)
  },
)

test('nor does it pass a goodput, a budget of tokens, a success rate or a throughput', () => {
  expect(sound).toHaveGoodput(1, { ttft: 200 })
  expect(half).not.toHaveGoodput(0.51, { ttft: 200 })
  expect(sound).toHaveTokenUsage({ outputTokens: { p95: 100 } })
  expect(half).not.toHaveTokenUsage({ outputTokens: { p95: 100 } })
  expect(sound).toHaveSessionSuccessRate(1)
  expect(half).not.toHaveSessionSuccessRate(0.51)
  expect(sound).toHaveThroughput({ requestsPerSecond: 40 })
  expect(half).not.toHaveThroughput({ requestsPerSecond: 21 })
})

test('so it is with a server that does so in a replay', async () => {
  const replayed = (faults: NonNullable<SimulatorOptions['faults']>) =>
    replay({
      workload: traces(['fixtures/traces/support-agent.json', 'fixtures/traces/incident-review.json']),
      stages: [{ concurrentSessions: 1, sessions: 4 }],
      simulator: { speed: Number.POSITIVE_INFINITY, tokensPerChunk: 4, faults },
      timeScale: 0,
    })
  const healthy = await replayed([])
  const failing = await replayed([{ when: { model: 'gpt-4.1' }, do: { kind: 'status', status: 503 } }])
  expect(failing.sessionCounts).toMatchObject({ succeeded: 2, failed: 2 })
  for (const matcher of matchers) {
    expect(healthy)[matcher]({ p95: '1h' })
    expect(failing).not[matcher]({ p95: '1h' })
  }
})
