import { describe, expect, test } from 'vitest'
import { drawInteger, seededRandom } from '../base/index.ts'
import { type InferenceJob, InferenceModel, type ModelTiming } from './inference-model.ts'
import { PrefixCache } from './prefix-cache.ts'

const TIMING: ModelTiming = {
  maxBatch: 4,
  prefillTokensPerSecond: 1_000,
  decodeStepMs: 10,
  decodeSlowdownPerRequest: 0.5,
  cacheBlockTokens: 16,
}

interface TimedJob extends InferenceJob {
  readonly tokenTimes: number[]
  prefillMs: number | undefined
  cachedTokens: number | undefined
}

/** A model, and jobs that write down when what happened to them. */
function createModel(timing: Partial<ModelTiming> = {}, cacheBlocks = 1_000) {
  const model = new InferenceModel({ ...TIMING, ...timing }, new PrefixCache(cacheBlocks))
  const job = (promptTokens: number, outputTokens: number, blocks: readonly number[] = []): TimedJob => ({
    promptTokens,
    outputTokens,
    promptBlocks: blocks,
    tokenTimes: [],
    prefillMs: undefined,
    cachedTokens: undefined,
    onPrefill(cachedTokens) {
      this.cachedTokens = cachedTokens
      this.prefillMs = model.nowMs
    },
    onToken() {
      this.tokenTimes.push(model.nowMs)
    },
    blocksWithOutput: () => blocks,
  })
  const submitAt = (ms: number, submitted: TimedJob) => {
    model.advance(ms)
    model.submit(submitted)
    return submitted
  }
  return { model, job, submitAt }
}

test('alone, the first token comes after the prompt and each further one a step later', () => {
  const { model, job, submitAt } = createModel()
  const only = submitAt(5, job(100, 4))
  model.advance(1_000)
  expect(only.tokenTimes).toEqual([105, 115, 125, 135])
})

test('prompts are processed one after the other, in order of arrival', () => {
  const { model, job, submitAt } = createModel({ decodeSlowdownPerRequest: 0 })
  const jobs = [100, 50, 10].map((promptTokens) => submitAt(0, job(promptTokens, 1)))
  model.advance(1_000)
  expect(jobs.map((each) => each.tokenTimes[0])).toEqual([100, 150, 160])
})

test('a step takes longer the more requests are in it', () => {
  const { model, job, submitAt } = createModel({ prefillTokensPerSecond: 1e12 })
  const jobs = [1, 2, 3].map(() => submitAt(0, job(1, 5)))
  model.advance(1_000)
  const gaps = (times: readonly number[]) => times.slice(1).map((time, i) => Math.round(time - (times[i] ?? 0)))
  // The first is alone in its first step; the others join at the next, which then takes 10 × (1 + 0.5 × 2).
  expect(gaps(jobs[0]?.tokenTimes ?? [])).toEqual([10, 20, 20, 20])
  expect(gaps(jobs[2]?.tokenTimes ?? []).slice(1)).toEqual([20, 20, 10 * 1.5])
})

test('no more than the batch run at once; a place that falls free goes to the one that waited longest', () => {
  const { model, job, submitAt } = createModel({ maxBatch: 2, decodeSlowdownPerRequest: 0 })
  const [short, long, third, fourth] = [job(10, 1), job(10, 50), job(10, 5), job(10, 5)]
  for (const each of [short, long, third, fourth]) submitAt(0, each)
  expect([model.running, model.queued]).toEqual([2, 2])
  model.advance(15)
  expect([model.running, model.queued]).toEqual([2, 1])
  expect(third.prefillMs, 'its place is its own, but its prompt waits for the one before').toBeUndefined()
  model.advance(10_000)
  expect(third.prefillMs).toBe(20)
  expect(fourth.prefillMs).toBe(third.tokenTimes[4])
  expect([model.running, model.queued]).toEqual([0, 0])
})

test('never more than the batch run, whatever comes and goes', () => {
  const random = seededRandom(3)
  const { model, job } = createModel({ maxBatch: 3 })
  const alive = new Set<TimedJob>()
  let now = 0
  for (let i = 0; i < 600; i++) {
    now += random() * 30
    model.advance(now)
    expect(model.running).toBeLessThanOrEqual(3)
    expect(model.running === 3 || model.queued === 0, 'nobody waits while there is room').toBe(true)
    const [first] = alive
    if (random() < 0.3 && first !== undefined) {
      model.cancel(first)
      alive.delete(first)
    } else {
      const added = job(drawInteger(random, 1, 60), drawInteger(random, 1, 8))
      alive.add(added)
      model.submit(added)
    }
  }
  model.advance(Number.POSITIVE_INFINITY)
  for (const each of alive) expect(each.tokenTimes).toHaveLength(each.outputTokens)
  expect([model.running, model.queued, model.nextEventMs]).toEqual([0, 0, Number.POSITIVE_INFINITY])
})

test('how far time is moved at once changes nothing', () => {
  const run = (stepMs: number) => {
    const { model, job, submitAt } = createModel({ maxBatch: 3 })
    const jobs = [40, 10, 90, 20, 30].map((promptTokens, i) => submitAt(i * 12, job(promptTokens, 3 + i)))
    for (let now = 60; now <= 1_000; now += stepMs) model.advance(now)
    model.advance(1_000)
    return jobs.map((each) => each.tokenTimes)
  }
  expect(run(0.37)).toEqual(run(500))
})

describe('the prefix cache', () => {
  test('shortens the time to the first token by what is cached', () => {
    const { model, job, submitAt } = createModel()
    const blocks = [1, 2, 3, 4, 5, 6]
    const first = submitAt(0, job(100, 1, blocks))
    const second = submitAt(500, job(104, 1, [...blocks, 7].slice(0, 6)))
    model.advance(1_000)
    expect([first.cachedTokens, first.tokenTimes[0]]).toEqual([0, 100])
    expect([second.cachedTokens, second.tokenTimes[0]]).toEqual([96, 508])
  })

  test('a prompt that is cached whole still has its last block processed', () => {
    const { model, job, submitAt } = createModel()
    submitAt(0, job(32, 1, [1, 2]))
    const again = submitAt(500, job(32, 1, [1, 2]))
    model.advance(1_000)
    expect(again.cachedTokens).toBe(16)
  })

  test('holds a prompt only when it has been processed', () => {
    const { model, job, submitAt } = createModel()
    const first = submitAt(0, job(100, 1, [1, 2, 3]))
    submitAt(50, job(100, 1, [1, 2, 3]))
    model.cancel(first)
    const third = submitAt(60, job(100, 1, [1, 2, 3]))
    model.advance(1_000)
    expect(third.cachedTokens).toBe(48)
    expect(first.tokenTimes).toEqual([])
  })

  test('holds what was written too, but not by one that was given up', () => {
    const { model, job, submitAt } = createModel()
    const finished = { ...job(16, 2, [1]), blocksWithOutput: () => [1, 2, 3] }
    const given = { ...job(16, 9, [9]), blocksWithOutput: () => [9, 8, 7] }
    submitAt(0, finished)
    submitAt(100, given)
    model.advance(130)
    model.cancel(given)
    const follower = submitAt(200, job(64, 1, [1, 2, 3, 4]))
    const other = submitAt(400, job(64, 1, [9, 8, 7, 6]))
    model.advance(1_000)
    expect([follower.cachedTokens, other.cachedTokens]).toEqual([48, 16])
  })
})

describe('a request that is given up', () => {
  test('in the queue never runs', () => {
    const { model, job, submitAt } = createModel({ maxBatch: 1 })
    submitAt(0, job(10, 5))
    const given = submitAt(0, job(10, 5))
    const last = submitAt(0, job(10, 5))
    model.cancel(given)
    model.advance(1_000)
    expect(given.tokenTimes).toEqual([])
    expect(last.tokenTimes).toHaveLength(5)
  })

  test('in its prompt lets the next prompt start at once', () => {
    const { model, job, submitAt } = createModel()
    const given = submitAt(0, job(1_000, 5))
    const next = submitAt(0, job(10, 1))
    model.advance(20)
    model.cancel(given)
    model.advance(1_000)
    expect(next.tokenTimes).toEqual([30])
  })

  test('while it writes frees its place at once', () => {
    const { model, job, submitAt } = createModel({ maxBatch: 1 })
    const given = submitAt(0, job(10, 500))
    const next = submitAt(0, job(10, 1))
    model.advance(55)
    model.cancel(given)
    expect(next.prefillMs).toBe(55)
    model.advance(10_000)
    expect(given.tokenTimes).toHaveLength(5)
  })

  test('by itself, in the middle of a step, harms nobody', () => {
    const { model, job, submitAt } = createModel({ prefillTokensPerSecond: 1e12 })
    const first = job(1, 5)
    const second = {
      ...job(1, 5),
      onToken() {
        this.tokenTimes.push(model.nowMs)
        if (this.tokenTimes.length === 2) for (const each of [first, second]) model.cancel(each)
      },
    }
    const third = job(1, 5)
    for (const each of [first, second, third]) submitAt(0, each)
    model.advance(1_000)
    expect(second.tokenTimes).toHaveLength(2)
    expect(third.tokenTimes).toHaveLength(5)
    expect(model.running).toBe(0)
  })

  test('twice, or after its end, changes nothing', () => {
    const { model, job, submitAt } = createModel()
    const done = submitAt(0, job(10, 1))
    const other = submitAt(0, job(10, 3))
    model.advance(12)
    model.cancel(done)
    model.cancel(done)
    model.advance(1_000)
    expect(other.tokenTimes).toHaveLength(3)
  })
})
