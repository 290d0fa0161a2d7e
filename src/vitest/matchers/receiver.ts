import { inspect } from 'node:util'
import type { Measured, Run, RunRecord, StageView, Subset } from '../../metrics/index.ts'

/** What the matchers judge: a run, one of its stages, or a part of either. */
export type Receiver = Run | StageView | Subset

/**
 * @param hint the failed assertion as the user wrote it
 * @param matcher left out of the stack, which then starts at the user's line
 * @throws {TypeError} naming what was received and what to pass instead
 */
export function checkReceiver(received: unknown, hint: string, matcher: CallableFunction): asserts received is Receiver {
  if (isMeasured(received)) return
  const error = new TypeError(
    `${hint}\n\nMatcher error: expected a run, a stage or a part of it, but received ${describeValue(received)}.${advice(received)}`,
  )
  Error.captureStackTrace?.(error, matcher)
  throw error
}

/** The record of the whole run that the receiver is of. */
export function recordOf(receiver: Receiver): RunRecord {
  return 'record' in receiver ? receiver.record : receiver.run.record
}

/** By shape, not by class: the package may be loaded twice, once by Vite and once by Node. */
function isMeasured(value: unknown): value is Receiver {
  const names = ['gradable', 'sessionCounts', 'workflowLatency', 'worstSessions'] satisfies (keyof Measured)[]
  return typeof value === 'object' && value !== null && names.every((name) => name in value)
}

function advice(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  if ('then' in value) return ' Did you forget to await it? `const run = await replay({ … })`'
  if ('run' in value) return ' Take the run out of it: `({ run }) => { expect(run)… }`'
  if ('quantile' in value) return ' The matcher finds the figure itself: write `expect(run)`, not `expect(run.workflowLatency)`.'
  if ('sessions' in value && 'requests' in value) return ' Make a run of the record first: `new Run(record)`'
  if (Array.isArray(value)) return ' Judge each one on its own: `for (const stage of run.stages) expect(stage)…`'
  return ''
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object') return `the ${typeof value} ${inspect(value)}`
  if (Array.isArray(value)) return 'an array'
  if ('run' in value) return 'an object that holds one'
  const name: unknown = value.constructor?.name
  return typeof name === 'string' && name !== 'Object' && name !== '' ? `a ${name}` : 'an object'
}
