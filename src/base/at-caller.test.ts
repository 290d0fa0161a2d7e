import { expect, test } from 'vitest'
import { atCaller } from './at-caller.ts'
import { TraceReplayError } from './error.ts'

function api(work: () => Promise<unknown>): Promise<unknown> {
  return atCaller(api, work)
}

async function deepInside(error: Error): Promise<never> {
  await Promise.resolve()
  throw error
}

async function stackOf(error: () => Error): Promise<string | undefined> {
  try {
    await api(() => deepInside(error()))
  } catch (caught) {
    return (caught as Error).stack
  }
  return undefined
}

test('an error for the user keeps its message and points at the call', async () => {
  const stack = await stackOf(() => new TraceReplayError('HUB', 'two\nlines'))
  expect(stack?.startsWith('TraceReplayError: two\nlines\n')).toBe(true)
  expect(stack).toContain('at-caller.test.ts')
  expect(stack).not.toMatch(/deepInside|at api |at-caller\.ts/)
})

test('a fault of this package shows where it arose', async () => {
  expect(await stackOf(() => Object.assign(new Error('fault'), { stack: 'Error: fault\n    at deepInside' }))).toContain(
    'deepInside',
  )
})

test('gives what the work gives', async () => {
  expect(await api(async () => 7)).toBe(7)
})
