import { TraceReplayError } from '../base/index.ts'

/**
 * An error as it should stand in a test's failure: the message alone, at the user's line. Where in this package it arose,
 * its cause and its code say nothing to the reader that the message does not.
 *
 * @param at frames from the user's code, of {@link callSite}; without them no line is shown
 */
export function presentError(error: unknown, at = ''): unknown {
  if (!(error instanceof TraceReplayError)) return error
  // A plain error: Vitest prints every further property of one, `code` too, below its message.
  return moveTo(at, Object.assign(new Error(error.message), { name: error.name }))
}

/** Makes the error point at the user's code. */
export function moveTo(at: string, error: Error): Error {
  error.stack = `${error.name}: ${error.message}\n${at}`
  return error
}

/** Vite compiles a configuration into a folder of its own among the packages. */
const INTERNAL_FRAME = /[\\/]node_modules[\\/](?!\.vite-temp)|node:internal/

/** Where the user called `api`: the frames above it, less those of installed packages. */
export function callSite(api: CallableFunction): string {
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, api)
  const [, ...frames] = holder.stack?.split('\n') ?? []
  return frames.filter((frame) => !INTERNAL_FRAME.test(frame)).join('\n')
}
