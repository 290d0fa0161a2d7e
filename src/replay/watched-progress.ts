import type { Warn } from '../base/index.ts'
import type { Progress } from './progress.ts'

/**
 * Whoever watches a run must not end it: what the callback throws, or rejects with, becomes a warning, and it is not called
 * again.
 */
export function watchedProgress(onProgress: (progress: Progress) => unknown, warn: Warn): (progress: Progress) => void {
  let failed = false
  const fail = (error: unknown): void => {
    if (failed) return
    failed = true
    warn({
      code: 'progress-callback-failed',
      message: `\`onProgress\` failed (${error instanceof Error ? error.message : String(error)}); it was not called again. The run went on.`,
      where: 'onProgress',
    })
  }
  return (progress) => {
    if (failed) return
    try {
      Promise.resolve(onProgress(progress)).catch(fail)
    } catch (error) {
      fail(error)
    }
  }
}
