import { type RunnerTestCase, recordArtifact, type TestArtifactBase } from 'vitest'
import type { Progress } from '../replay/index.ts'

export const PROGRESS = 'trace-replay:progress'

/** Where a run stands, on its way from a worker to the reporter. */
export interface ProgressArtifact extends TestArtifactBase {
  readonly type: typeof PROGRESS
  /** Tells runs apart that go on at the same time. */
  readonly run: string
  readonly scenario: string
  readonly progress: Progress
}

/** Recording costs up to a millisecond of the process that measures. */
const LEAST_INTERVAL_MS = 300

/**
 * A listener for {@link ReplayOptions.onProgress} that hands each state to the reporter and lets go of it: artifacts that
 * stay would end up in blobs and the HTML report.
 */
export function progressRecorder(task: RunnerTestCase, run: string, scenario: string): (progress: Progress) => void {
  let lastMs = Number.NEGATIVE_INFINITY
  let recording = false
  return (progress) => {
    const nowMs = progress.elapsedMs
    const stageBegins = nowMs < lastMs
    if (recording || (!stageBegins && nowMs - lastMs < LEAST_INTERVAL_MS)) return
    lastMs = nowMs
    recording = true
    recordArtifact(task, { type: PROGRESS, run, scenario, progress })
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
}

export function isProgressArtifact(artifact: unknown): artifact is ProgressArtifact {
  return typeof artifact === 'object' && artifact !== null && 'type' in artifact && artifact.type === PROGRESS
}
