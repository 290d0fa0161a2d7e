import { expect, test } from 'vitest'
import { manualClock } from './manual-clock.fixture.ts'

test('timers run in order of their due time, equal ones in order of arming, each seeing its own time', () => {
  const clock = manualClock(100)
  const ran: string[] = []
  clock.after(20, () => ran.push(`b@${clock.now()}`))
  clock.after(10, () => ran.push(`a@${clock.now()}`))
  clock.after(20, () => ran.push(`c@${clock.now()}`))
  clock.after(21, () => ran.push('late'))
  clock.advance(20)
  expect(ran).toEqual(['a@110', 'b@120', 'c@120'])
  expect(clock.now()).toBe(120)
  expect(clock.pending).toBe(1)
})

test('a timer armed by a timer takes part in the same advance', () => {
  const clock = manualClock()
  const ran: number[] = []
  const tick = () => {
    ran.push(clock.now())
    if (ran.length < 3) clock.after(5, tick)
  }
  clock.after(5, tick)
  clock.advance(100)
  expect(ran).toEqual([5, 10, 15])
  expect(clock.now()).toBe(100)
})

test('a cancelled timer does not run, and cancelling twice is harmless', () => {
  const clock = manualClock()
  const timer = clock.after(5, () => expect.unreachable())
  timer.cancel()
  timer.cancel()
  clock.advance(10)
  expect(clock.pending).toBe(0)
})

test('advanceToNext goes exactly to the next timer', () => {
  const clock = manualClock()
  clock.after(Number.POSITIVE_INFINITY, () => {})
  clock.after(7.5, () => {})
  expect(clock.advanceToNext()).toBe(true)
  expect(clock.now()).toBe(7.5)
})
