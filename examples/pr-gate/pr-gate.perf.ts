import { expect, onTestFinished, test } from 'vitest'
import { compare, startSimulator, type TargetOptions, traces } from 'vitest-trace-replay'

test('the pull request is no slower than its base', async ({ signal }) => {
  const { base, head } = await compare({
    name: 'Support agents, 8 at once',
    workload: traces('../quickstart/traces/support-agent.json'),
    cwd: import.meta.dirname,
    stages: [
      { concurrentSessions: 8, sessions: 8, warmup: true },
      { concurrentSessions: 8, sessions: 40 },
    ],
    // What customers and tools took is the same on both sides, and would only hide what the servers take.
    timeScale: 0,
    targets: {
      base: await server(process.env.TARGET_BASE_URL),
      head: await server(process.env.TARGET_HEAD_URL, Number(process.env.HEAD_DECODE_STEP_MS ?? 4)),
    },
    signal,
  })
  expect(head).not.toRegressFrom(base, {
    workflowLatency: { typical: '10%', tail: '15%' },
    timeToFirstToken: { typical: { relative: '20%', absolute: '20ms' } },
    sessionSuccessRate: '1%',
  })
})

/** The server that the job has started; without one a simulator stands in for it, so that this runs anywhere. */
async function server(url: string | undefined, decodeStepMs = 4): Promise<TargetOptions> {
  if (url !== undefined) return { kind: 'vllm', url }
  const simulator = await startSimulator({ decodeStepMs, speed: 5 })
  onTestFinished(() => simulator.close())
  return { kind: 'simulator', url: simulator.url }
}
