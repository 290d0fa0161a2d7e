import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, onTestFinished } from 'vitest'
import { type Clock, systemClock, type Warning } from '../../base/index.ts'
import type { ReplayGraph } from '../../graph/index.ts'
import type { Workload, WorkloadContext, WorkloadOrigin, WorkloadProgress } from '../workload.ts'
import { HUB_TIMING, type HubTiming } from './hub-connection.ts'
import { createHuggingFace } from './hugging-face.ts'
import { LocalHub } from './local-hub/local-hub.fixture.ts'
import type { HuggingFaceOptions } from './options.ts'

/** Time limits that a test can wait for. */
export const TEST_TIMING: HubTiming = { ...HUB_TIMING, connectMs: 2_000, answerMs: 2_000, idleMs: 100 }

/** A thousand times as fast as the clock on the wall; remembers what it was asked to wait for. */
export class FastClock implements Clock {
  readonly waitedMs: number[] = []
  readonly now = systemClock.now
  after(delayMs: number, run: () => void) {
    this.waitedMs.push(delayMs)
    return systemClock.after(delayMs / 1_000, run)
  }
}

/** What came out of a workload. */
export interface Reading {
  readonly graphs: ReplayGraph[]
  readonly ids: string[]
  readonly warnings: Warning[]
  readonly origins: WorkloadOrigin[]
  readonly progress: WorkloadProgress[]
}

/** Tests with a local hub and a directory that go with them. */
export const test = base
  .extend('hub', async ({ onTestFinished }) => {
    const hub = await LocalHub.start()
    onTestFinished(() => hub.close())
    return hub
  })
  .extend('directory', async ({ onTestFinished }) => {
    const directory = await mkdtemp(join(tmpdir(), 'hugging-face-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    return directory
  })
  .extend('clock', () => new FastClock())
  /** A data set of the local hub, cached in the directory. */
  .extend('open', ({ hub, directory, clock }) => {
    const place = { hubUrl: hub.url, cacheDir: join(directory, 'cache') }
    return (dataset: string, options?: HuggingFaceOptions, timing = TEST_TIMING): Workload =>
      createHuggingFace(dataset, { ...place, ...options }, { clock, timing })
  })
  .extend('read', ({ directory }) => async (workload: Workload, given: Partial<WorkloadContext> = {}): Promise<Reading> => {
    const reading: Reading = { graphs: [], ids: [], warnings: [], origins: [], progress: [] }
    const context: WorkloadContext = {
      cwd: directory,
      onInvalidTrace: 'fail',
      warn: (warning) => void reading.warnings.push(warning),
      onOrigin: (origin) => void reading.origins.push(origin),
      onProgress: (progress) => void reading.progress.push(progress),
      ...given,
    }
    for await (const graph of workload.open(context)) {
      reading.graphs.push(graph)
      reading.ids.push(graph.session.id)
    }
    return reading
  })

/** Sets variables of the environment for the rest of the test. */
export function withEnv(variables: Readonly<Record<string, string>>): void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
}
