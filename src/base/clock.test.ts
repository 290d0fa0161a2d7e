import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from './clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('fake timers in a user test do not stop the clock', async () => {
  vi.useFakeTimers()
  const before = systemClock.now()
  await new Promise<void>((resolve) => systemClock.after(1, resolve))
  expect(systemClock.now()).toBeGreaterThan(before)
})

test('a cancelled timer does not fire', async () => {
  let fired = false
  systemClock
    .after(0, () => {
      fired = true
    })
    .cancel()
  await new Promise<void>((resolve) => systemClock.after(2, resolve))
  expect(fired).toBe(false)
})

test('a wait longer than a Node timer can hold does not fire at once', async () => {
  let fired = false
  const timer = systemClock.after(2 ** 31 + 5, () => {
    fired = true
  })
  await new Promise<void>((resolve) => systemClock.after(5, resolve))
  timer.cancel()
  expect(fired).toBe(false)
})
