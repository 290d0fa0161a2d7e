import { TraceReplayError } from '../base/index.ts'

/**
 * An error as it should stand in a test's failure: the message alone, at the user's line. Where in this package it arose,
 * its cause and its code say nothing to the reader that the message does not.
 *
 * @param at a stack captured in the user's code; without one no line is shown
 */
export function presentError(error: unknown, at?: string): unknown {
  if (!(error instanceof TraceReplayError)) return error
  const shown = new TraceReplayError(error.code, error.message)
  // Vitest prints every enumerable or own property of an error below its message.
  Object.defineProperty(shown, 'code', { value: error.code, enumerable: false })
  shown.stack = `${shown.name}: ${shown.message}${at === undefined ? '' : `\n${at}`}`
  return shown
}

/**
 * Where the user called `api`, as the frames of a stack, for {@link presentError}.
 */
export function callSite(api: CallableFunction): string {
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, api)
  return holder.stack?.split('\n').slice(1).join('\n') ?? ''
}
