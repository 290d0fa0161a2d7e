import { expect, test } from 'vitest'
import type { Clock } from '../base/index.ts'
import { manualClock } from '../base/manual-clock.fixture.ts'
import { Deadlines } from './deadlines.ts'

const timeouts = { connectMs: 10, firstTokenMs: 300, idleMs: 60, callMs: 900 }
const off = { connectMs: Infinity, firstTokenMs: Infinity, idleMs: Infinity, callMs: Infinity }

function watch(limits = timeouts) {
  const clock = manualClock(1_000)
  const expired: string[] = []
  const owner = { onDeadline: () => void expired.push(`${deadlines.expired()}@${clock.now() - 1_000}`) }
  const deadlines = new Deadlines(clock, limits, clock.now(), owner)
  return { clock, deadlines, expired }
}

test('connecting ends at its limit, not before', () => {
  const { clock, expired } = watch()
  clock.advance(9)
  expect(expired).toEqual([])
  clock.advance(1)
  expect(expired).toEqual(['connect_timeout@10'])
})

test('the first token counts from sent, whatever is read meanwhile', () => {
  const { clock, deadlines, expired } = watch()
  clock.advance(5)
  deadlines.sent(clock.now())
  for (let ms = 5; ms < 305; ms += 50) {
    expect(expired).toEqual([])
    deadlines.read(clock.now())
    clock.advance(50)
  }
  expect(expired).toEqual(['first_token_timeout@305'])
})

test("silence before the first read of the body is the first token's matter, after it an idle stream", () => {
  const { clock, deadlines, expired } = watch()
  deadlines.sent(clock.now())
  clock.advance(200)
  expect(expired).toEqual([])
  deadlines.read(clock.now())
  clock.advance(59)
  expect(expired).toEqual([])
  clock.advance(1)
  expect(expired).toEqual(['idle_timeout@260'])
})

test('a stream that goes on is cut by the limit of the call alone', () => {
  const { clock, deadlines, expired } = watch()
  deadlines.sent(clock.now())
  deadlines.output()
  for (let ms = 0; ms < 900; ms += 50) {
    expect(expired).toEqual([])
    deadlines.read(clock.now())
    clock.advance(50)
  }
  expect(expired).toEqual(['call_timeout@900'])
})

test('of limits that end together the narrower one is named', () => {
  const { clock, expired } = watch({ ...off, connectMs: 10, callMs: 10 })
  clock.advance(10)
  expect(expired).toEqual(['connect_timeout@10'])
})

test('a limit that comes into force later but ends earlier is kept', () => {
  const { clock, deadlines, expired } = watch({ ...timeouts, connectMs: 10_000, firstTokenMs: 20 })
  clock.advance(1)
  deadlines.sent(clock.now())
  clock.advance(20)
  expect(expired).toEqual(['first_token_timeout@21'])
})

test('a complete response gets a moment to close', () => {
  const { clock, deadlines, expired } = watch({ ...off })
  deadlines.sent(clock.now())
  deadlines.read(clock.now())
  deadlines.output()
  clock.advance(5_000)
  deadlines.done(clock.now())
  clock.advance(999)
  expect(expired).toEqual([])
  clock.advance(1)
  expect(expired).toHaveLength(1)
})

test('limits that are off arm no timer', () => {
  const { clock, deadlines } = watch(off)
  deadlines.sent(clock.now())
  deadlines.read(clock.now())
  expect(clock.pending).toBe(0)
})

test('one timer serves a request however many chunks come, and none is left after it', () => {
  const { clock, deadlines } = watch()
  const armed: number[] = []
  const counted: Clock = {
    now: clock.now,
    after(delayMs, run) {
      armed.push(delayMs)
      return clock.after(delayMs, run)
    },
  }
  const chatty = new Deadlines(counted, { ...timeouts, connectMs: 1_000 }, clock.now(), { onDeadline() {} })
  chatty.sent(clock.now())
  chatty.output()
  for (let chunk = 0; chunk < 1_000; chunk++) chatty.read(clock.now())
  expect(armed).toEqual([900, 300, 60])
  chatty.cancel()
  chatty.read(clock.now())
  deadlines.cancel()
  expect(clock.pending).toBe(0)
})

test('what arrived in the meantime takes a limit back', () => {
  const clock = manualClock()
  let due = 0
  const deadlines = new Deadlines(clock, timeouts, 0, { onDeadline: () => void due++ })
  deadlines.sent(0)
  deadlines.output()
  deadlines.read(0)
  clock.advance(60)
  expect(due).toBe(1)
  deadlines.read(60)
  expect(deadlines.expired()).toBeUndefined()
  clock.advance(60)
  expect(deadlines.expired()).toBe('idle_timeout')
})
