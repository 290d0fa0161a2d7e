import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from './clock.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
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

test('a timer of the engine that is early by a millisecond or more is set again for what is left', async () => {
  const timers: { readonly fire: () => void; readonly delayMs: number }[] = []
  let nowMs = 100
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  vi.stubGlobal('setTimeout', (fire: () => void, delayMs: number) => timers.push({ fire, delayMs }))
  vi.resetModules()
  const { systemClock: clock } = await import('./clock.ts')
  let fired = 0
  clock.after(20, () => fired++)
  nowMs = 118.5
  timers[0]?.fire()
  expect(fired).toBe(0)
  nowMs = 119.5
  timers[1]?.fire()
  expect(fired).toBe(1)
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([20, 1.5])
})
