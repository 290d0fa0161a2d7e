import { type RunnerTestCase, recordArtifact, type TestArtifactBase } from 'vitest'
import type { Progress } from '../replay/index.ts'
import type { WorkloadProgress } from '../workload/index.ts'

export const PROGRESS = 'trace-replay:progress'

/** Where a run stands, on its way from a worker to the reporter. */
export interface ProgressArtifact extends TestArtifactBase {
  readonly type: typeof PROGRESS
  /** Tells runs apart that go on at the same time. */
  readonly run: string
  readonly scenario: string
  readonly state: RunState
}

export type RunState =
  | { readonly kind: 'replaying'; readonly progress: Progress }
  | { readonly kind: 'fetching'; readonly file: WorkloadProgress }

/** Recording costs up to a millisecond of the process that measures. */
const LEAST_INTERVAL_MS = 300

/** Listeners for a run, such as {@link ReplayOptions.onProgress}. */
export interface ProgressRecorder {
  readonly onProgress: (progress: Progress) => void
  readonly onWorkloadProgress: (file: WorkloadProgress) => void
}

/** Hands each state to the reporter and lets go of it: artifacts that stay would end up in blobs and the HTML report. */
export function progressRecorder(task: RunnerTestCase, run: string, scenario: string): ProgressRecorder {
  let lastMs = Number.NEGATIVE_INFINITY
  let recording = false
  const record = (state: RunState) => {
    recording = true
    recordArtifact(task, { type: PROGRESS, run, scenario, state })
      .then((recorded) => {
        const index = task.artifacts.indexOf(recorded)
        if (index >= 0) task.artifacts.splice(index, 1)
      })
      // Progress is a courtesy: a test that has ended meanwhile must not fail for it.
      .catch(() => {})
      .finally(() => {
        recording = false
      })
  }
  return {
    onProgress(progress) {
      const nowMs = progress.elapsedMs
      const stageBegins = nowMs < lastMs
      if (recording || (!stageBegins && nowMs - lastMs < LEAST_INTERVAL_MS)) return
      lastMs = nowMs
      record({ kind: 'replaying', progress })
    },
    // Comes a few times a second already.
    onWorkloadProgress(file) {
      if (!recording) record({ kind: 'fetching', file })
    },
  }
}

export function isProgressArtifact(artifact: unknown): artifact is ProgressArtifact {
  return typeof artifact === 'object' && artifact !== null && 'type' in artifact && artifact.type === PROGRESS
}
