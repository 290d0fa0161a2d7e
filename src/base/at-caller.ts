import { TraceReplayError } from './error.ts'

/**
 * Does the work of a public function. Errors for its user then point at the line that called it: where in this package they
 * arose says nothing to the reader that the message does not. Other errors keep their stack.
 *
 * @param api the public function, which must call this before it waits for anything
 */
export async function atCaller<Value>(api: CallableFunction, work: () => Promise<Value>): Promise<Value> {
  const call: { stack?: string } = {}
  Error.captureStackTrace(call, api)
  try {
    return await work()
  } catch (error) {
    if (error instanceof TraceReplayError) {
      const [, ...frames] = call.stack?.split('\n') ?? []
      error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n')
    }
    throw error
  }
}
