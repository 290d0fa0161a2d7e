import { inject } from 'vitest'
import './augmentation.ts'
import type { ProjectOptions } from './project-options.ts'

/** What the plugin hands from Vitest's process to its workers. */
export interface ProvidedOptions {
  /** Absolute path of the project's root: what relative trace paths are relative to. Known when the project is. */
  readonly root?: string
  readonly options: ProjectOptions
  /** For a replay test that names no timeout, in a project that names none either. */
  readonly replayTimeoutMs?: number
}

/** `undefined` when the plugin is not in use. */
export function providedOptions(): ProvidedOptions | undefined {
  return inject('traceReplay')
}
