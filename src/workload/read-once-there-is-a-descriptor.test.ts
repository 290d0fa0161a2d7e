import { expect, test } from 'vitest'
import { TraceReplayError } from '../base/index.ts'
import { type ManualClock, manualClock } from '../base/manual-clock.fixture.ts'
import { readOnceThereIsADescriptor } from './read-once-there-is-a-descriptor.ts'

function failing(code: string): never {
  throw new TraceReplayError('UNREADABLE_TRACE', code, { cause: Object.assign(new Error(code), { code }) })
}

/** Moves the clock until the promise is settled, and says how it was. */
async function settle(clock: ManualClock, promise: Promise<unknown>): Promise<unknown> {
  let outcome: unknown
  const settled = promise.then(
    (value) => {
      outcome = value
    },
    (error) => {
      outcome = error
    },
  )
  while (outcome === undefined) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.advanceToNext()
  }
  await settled
  return outcome
}

test.each(['EMFILE', 'ENFILE'])('%s is waited out', async (code) => {
  const clock = manualClock()
  let left = 3
  const reading = readOnceThereIsADescriptor(() => (left-- > 0 ? failing(code) : 'content'), clock)
  expect(await settle(clock, reading)).toBe('content')
  expect(left).toBe(-1)
  expect(clock.pending).toBe(0)
})

test('not for ever', async () => {
  const clock = manualClock()
  const reading = readOnceThereIsADescriptor(() => failing('EMFILE'), clock)
  expect(await settle(clock, reading)).toMatchObject({ code: 'UNREADABLE_TRACE' })
  expect(clock.now()).toBe(10_000)
})

test('an abort ends the waiting', async () => {
  const clock = manualClock()
  const stop = new AbortController()
  const read = () => {
    stop.abort(new Error('enough'))
    return failing('EMFILE')
  }
  expect(await settle(clock, readOnceThereIsADescriptor(read, clock, stop.signal))).toMatchObject({ message: 'enough' })
  expect(clock.now()).toBe(50)
})

test('what else is wrong with a file is said at once', async () => {
  const clock = manualClock()
  await expect(readOnceThereIsADescriptor(() => failing('ENOENT'), clock)).rejects.toThrow('ENOENT')
  expect(clock.pending).toBe(0)
})
