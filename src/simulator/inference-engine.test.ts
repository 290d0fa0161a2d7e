import { expect, test } from 'vitest'
import type { Clock } from '../base/index.ts'
import { manualClock } from '../base/manual-clock.fixture.ts'
import { InferenceEngine } from './inference-engine.ts'
import { type InferenceJob, InferenceModel } from './inference-model.ts'
import { PrefixCache } from './prefix-cache.ts'

const TIMING = {
  maxBatch: 4,
  prefillTokensPerSecond: 1_000,
  decodeStepMs: 2.5,
  decodeSlowdownPerRequest: 0,
  cacheBlockTokens: 16,
}

function createEngine(clock: Clock, speed = 1) {
  return new InferenceEngine(new InferenceModel(TIMING, new PrefixCache(0)), clock, speed)
}

function timedJob(clock: Clock, promptTokens: number, outputTokens: number) {
  const times: number[] = []
  const job: InferenceJob = {
    promptTokens,
    promptBlocks: [],
    outputTokens,
    onPrefill: () => undefined,
    onToken: () => times.push(clock.now()),
    blocksWithOutput: () => [],
  }
  return { job, times }
}

test('tokens come at the first whole millisecond after they are done, and lateness does not add up', () => {
  const clock = manualClock(1_000)
  const engine = createEngine(clock)
  const { job, times } = timedJob(clock, 10, 9)
  engine.submit(job)
  clock.advance(100)
  expect(times).toEqual([1_010, 1_013, 1_015, 1_018, 1_020, 1_023, 1_025, 1_028, 1_030])
})

test('after a late timer the tokens that were due come at once, the others on time', () => {
  const clock = manualClock()
  let heldUp: (() => void) | undefined
  const slow: Clock = {
    now: clock.now,
    after: (delayMs, run) =>
      clock.after(delayMs, () => {
        if (clock.now() === 13) heldUp = run
        else run()
      }),
  }
  const engine = createEngine(slow)
  const { job, times } = timedJob(clock, 10, 6)
  engine.submit(job)
  clock.advance(18)
  expect(times).toEqual([10])
  heldUp?.()
  clock.advance(100)
  expect(times).toEqual([10, 18, 18, 18, 20, 23])
})

test('at infinite speed everything is done as soon as timers run, and time stays finite', () => {
  const clock = manualClock()
  const engine = createEngine(clock, Number.POSITIVE_INFINITY)
  for (let i = 0; i < 3; i++) {
    const { job, times } = timedJob(clock, 100, 50)
    engine.submit(job)
    clock.advance(0)
    expect(times).toHaveLength(50)
  }
  expect([engine.running, clock.pending]).toEqual([0, 0])
})

test('a long backlog gives way to other work', () => {
  let nowMs = 0
  const timers: (() => void)[] = []
  const clock: Clock = {
    // Each look at the clock takes a millisecond: the work is slow.
    now: () => nowMs++,
    after(_, run) {
      timers.push(run)
      return { cancel: () => undefined }
    },
  }
  const engine = createEngine(clock, Number.POSITIVE_INFINITY)
  let tokens = 0
  engine.submit({ ...timedJob(clock, 1, 1_000).job, onToken: () => void tokens++ })
  timers.pop()?.()
  expect(tokens).toBeGreaterThan(0)
  expect(tokens).toBeLessThan(100)
  while (timers.length > 0) timers.pop()?.()
  expect(tokens).toBe(1_000)
})

test('a job may cancel itself in its own callback', () => {
  const clock = manualClock()
  const engine = createEngine(clock)
  const { job, times } = timedJob(clock, 10, 100)
  const cancelling: InferenceJob = {
    ...job,
    onToken() {
      job.onToken()
      if (times.length === 3) engine.cancel(cancelling)
    },
  }
  engine.submit(cancelling)
  clock.advance(1_000)
  expect(times).toHaveLength(3)
  expect([engine.running, clock.pending]).toEqual([0, 0])
})

test('a long wait that is given up leaves no timer', () => {
  const clock = manualClock()
  const engine = createEngine(clock)
  const { job } = timedJob(clock, 1_000_000, 1)
  engine.submit(job)
  expect(clock.pending).toBe(1)
  engine.cancel(job)
  expect(clock.pending).toBe(0)
})

test('nothing happens once it is closed', () => {
  const clock = manualClock()
  const engine = createEngine(clock)
  const { job, times } = timedJob(clock, 10, 5)
  engine.submit(job)
  clock.advance(12)
  engine.close()
  engine.submit(timedJob(clock, 1, 1).job)
  clock.advance(1_000)
  expect([times.length, clock.pending]).toEqual([1, 0])
})
