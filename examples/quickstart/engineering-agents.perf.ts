import { expect } from 'vitest'
import { replayTest, traces } from 'vitest-trace-replay'

replayTest(
  'Coding agents and research teams, 4 at once',
  {
    workload: traces(['traces/coding-agent.otlp.json', 'traces/research-team.otlp.json']),
    stages: [{ concurrentSessions: 4, sessions: 4 }],
    timeScale: 0.1,
  },
  ({ run }) => {
    expect(run).toHaveSessionSuccessRate(1)
    expect(run).toHaveWorkflowLatency({ p50: '12s', max: '20s' })
    expect(run).toHaveTimePerOutputToken({ p95: '25ms' })
  },
)
