/** What the hub shows of a data set: a README with a head that it reads. */
export function datasetCard({
  dataset,
  sessions,
  calls,
}: {
  readonly dataset: string
  readonly sessions: number
  readonly calls: number
}): string {
  return `---
tags:
- opentelemetry
- agent-traces
- vitest-trace-replay
---

# ${dataset.split('/').at(-1)}

${sessions} recorded sessions of AI agents, ${calls} LLM calls, as OpenTelemetry traces.

Replay them as a performance test with [vitest-trace-replay](https://www.npmjs.com/package/vitest-trace-replay):

\`\`\`ts
import { expect } from 'vitest'
import { huggingFace, replayTest } from 'vitest-trace-replay'

replayTest('replays the recorded sessions', {
  workload: huggingFace('${dataset}'),
  stages: [{ concurrentSessions: 10 }],
}, ({ run }) => {
  expect(run).toHaveSessionSuccessRate(0.99)
})
\`\`\`
`
}
