import { expect, test } from 'vitest'
import { findCapacity, traces } from 'vitest-trace-replay'

test('bears ten support agents at once', async ({ signal }) => {
  const capacity = await findCapacity({
    name: 'Support agents',
    workload: traces('../quickstart/traces/support-agent.json'),
    cwd: import.meta.dirname,
    // Serves eight requests at once; more than that wait for their turn. For a server of your own give a `target` instead.
    simulator: { maxBatch: 8, decodeSlowdownPerRequest: 0, speed: 2 },
    // Without waits between the calls each session always has one request under way.
    timeScale: 0,
    slo: { sessionSuccessRate: 0.99, workflowLatency: { p95: '1500ms' } },
    concurrentSessions: { from: 8, to: 32 },
    sessions: 40,
    precision: 0.1,
    signal,
  })
  console.table(
    capacity.curve.map(({ concurrentSessions, met, workflowLatencyP95Ms, sessionsPerSecond }) => ({
      concurrentSessions,
      met,
      'workflow p95 (ms)': workflowLatencyP95Ms === null ? null : Math.round(workflowLatencyP95Ms),
      'sessions/s': Math.round(sessionsPerSecond * 10) / 10,
    })),
  )
  expect(capacity).toSustain({ concurrentSessions: 10 })
  expect(capacity).not.toSustain({ concurrentSessions: 24 })
})
