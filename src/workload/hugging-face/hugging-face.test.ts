import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ReplayGraph } from '../../graph/index.ts'
import type { Workload, WorkloadContext } from '../workload.ts'
import { huggingFace } from './hugging-face.ts'
import { LocalHub } from './local-hub/local-hub.fixture.ts'
import { sessionRows } from './session-row.fixture.ts'
import { sessionTable } from './session-table.fixture.ts'

let hub: LocalHub
let cwd: string

beforeEach(async () => {
  hub = await LocalHub.start()
  cwd = mkdtempSync(join(tmpdir(), 'hugging-face-'))
})
afterEach(async () => {
  await hub.close()
  rmSync(cwd, { recursive: true, force: true })
})

async function all(workload: Workload, extra: Partial<WorkloadContext> = {}): Promise<ReplayGraph[]> {
  const context = { cwd, onInvalidTrace: 'fail' as const, warn: () => {}, onProgress: () => {}, ...extra }
  const graphs: ReplayGraph[] = []
  for await (const graph of workload.open(context)) graphs.push(graph)
  return graphs
}

test('a row becomes a session', async () => {
  hub.put('acme/orders', { 'data/train-00000-of-00001.parquet': sessionTable(sessionRows(3)) })
  const graphs = await all(huggingFace('acme/orders', { hubUrl: hub.url, cacheDir: 'cache' }))
  expect(graphs.map((graph) => graph.session.id)).toEqual(['order-1', 'order-2', 'order-3'])
  console.log(
    JSON.stringify(
      graphs[0]?.nodes.map((n) => [n.edges, n.splices, n.waitMs]),
      null,
      1,
    ),
    hub.takeSeen(),
  )
})
