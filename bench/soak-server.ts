/**
 * The server of the soak, as a child process that sends its URL to the parent: the embedded simulator, which takes its time for
 * each token and now and then refuses, falls silent or breaks off.
 */
import { startSimulator } from '../src/simulator/index.ts'

const simulator = await startSimulator({
  maxBatch: 10_000,
  decodeStepMs: 10,
  decodeSlowdownPerRequest: 0,
  recordRequests: 0,
  faults: [
    { when: { probability: 0.003 }, do: { kind: 'status', status: 503 } },
    { when: { probability: 0.003 }, do: { kind: 'cut', afterChunks: 3, how: 'reset' } },
    { when: { probability: 0.002 }, do: { kind: 'stall', after: 'accept' } },
    { when: { probability: 0.002 }, do: { kind: 'stall', after: { chunks: 3 } } },
  ],
})
process.send?.(simulator.url)
process.on('disconnect', () => process.exit())
