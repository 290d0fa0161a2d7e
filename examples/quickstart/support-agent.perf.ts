import { expect } from 'vitest'
import { replayTest, traces } from 'vitest-trace-replay'

replayTest(
  'Support agents, 10 at once',
  {
    workload: traces('traces/support-agent.json'),
    stages: [{ concurrentSessions: 10, sessions: 20 }],
    // The recorded customer reads and the recorded tools run for 13 seconds in all; a tenth of that will do here.
    timeScale: 0.1,
  },
  ({ run }) => {
    expect(run).toHaveSessionSuccessRate(0.99)
    expect(run).toHaveWorkflowLatency({ p95: '8s' })
    expect(run).toHaveTimeToFirstToken({ p99: '2s' })
  },
)
