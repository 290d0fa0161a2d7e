import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { afterAll, beforeAll, expect } from 'vitest'
import { startCapture } from '../capture/index.ts'
import { replayTest } from '../vitest/index.ts'
import { traces } from '../workload/index.ts'
import { runAgent } from './recorded-agent.fixture.ts'

const directory = mkdtempSync(join(tmpdir(), 'capture-'))

beforeAll(async () => {
  const capture = await startCapture({ out: directory, port: 0 })
  await runAgent(new OTLPTraceExporter({ url: `${capture.url}/v1/traces` }), 'one')
  await runAgent(new OTLPTraceExporter({ url: `${capture.url}/v1/traces` }), 'two')
  await capture.close()
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

replayTest(
  'what a real exporter sent, and capture wrote, is replayed with its live outputs',
  {
    workload: traces(directory),
    simulator: { speed: Number.POSITIVE_INFINITY },
    stages: [{ concurrentSessions: 2 }],
    timeScale: 0,
  },
  ({ run }) => {
    expect(run).toHaveSessionSuccessRate(1)
    expect(run.sessionCounts.total).toBe(2)
    expect(run.requests.map((request) => request.splices.live).sort()).toEqual([0, 0, 1, 1])
  },
)
