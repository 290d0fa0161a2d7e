import type { PROGRESS, ProgressArtifact } from './progress-artifact.ts'
import type { ProvidedOptions } from './provided-options.ts'
import type { TaskRecord } from './task-record.ts'

declare module 'vitest' {
  interface ProvidedContext {
    traceReplay: ProvidedOptions
  }
  interface TaskMeta {
    /** The runs this test saw and the verdicts on them. */
    traceReplay?: TaskRecord
  }
  interface TestArtifactRegistry {
    [PROGRESS]: ProgressArtifact
  }
}
