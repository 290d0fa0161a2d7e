import { describe, expect, test } from 'vitest'
import { type Distribution, ExactDistribution, enoughSamples, requiredSamples } from './distribution.ts'
import { digestOf } from './run-record.fixture.ts'
import { SketchedDistribution } from './sketched-distribution.ts'

const { POSITIVE_INFINITY } = Number

/** While every centroid is one sample, a sketch has to say what the exact distribution says. */
const KINDS: readonly (readonly [string, (samples: readonly number[]) => Distribution])[] = [
  ['exact', (samples) => new ExactDistribution(samples)],
  [
    'sketched',
    (samples) =>
      new SketchedDistribution(
        digestOf(samples.filter(Number.isFinite)),
        samples.filter((sample) => !Number.isFinite(sample)).length,
      ),
  ],
]

describe.each(KINDS)('%s distribution', (_, distributionOf) => {
  test.each([
    [[15, 20, 35, 40, 50], 0, 15],
    [[15, 20, 35, 40, 50], 0.25, 20],
    [[15, 20, 35, 40, 50], 0.4, 29],
    [[15, 20, 35, 40, 50], 0.5, 35],
    [[15, 20, 35, 40, 50], 0.95, 48],
    [[15, 20, 35, 40, 50], 1, 50],
    [[50, 15, 40, 20, 35], 0.4, 29],
    [[1, 2], 0.5, 1.5],
    [[1, 2], 0.99, 1.99],
    [[7], 0, 7],
    [[7], 0.5, 7],
    [[7], 1, 7],
    [[3, 3, 3, 9], 0.5, 3],
    [[0, 0, 0], 0.9, 0],
  ])('%j has %d at the quantile', (samples, q, expected) => {
    expect(distributionOf(samples).quantile(q)).toBeCloseTo(expected, 10)
  })

  test('has no figure without a sample', () => {
    const empty = distributionOf([])
    expect([empty.count, empty.quantile(0.5), empty.min(), empty.max(), empty.mean()]).toEqual([0, ...Array(4).fill(undefined)])
  })

  test('ranks failures above every success', () => {
    const distribution = distributionOf([10, POSITIVE_INFINITY, 20, 30])
    expect([distribution.count, distribution.failures]).toEqual([4, 1])
    expect(distribution.quantile(0)).toBe(10)
    expect(distribution.quantile(0.5)).toBe(25)
    expect(distribution.max()).toBe(POSITIVE_INFINITY)
    expect(distribution.mean()).toBe(POSITIVE_INFINITY)
  })

  test('is infinite as soon as the rank leaves the slowest success', () => {
    const distribution = distributionOf([10, 20, 30, POSITIVE_INFINITY, POSITIVE_INFINITY])
    expect(distribution.quantile(0.5)).toBe(30)
    expect(distribution.quantile(0.501)).toBe(POSITIVE_INFINITY)
  })

  // 0.55 × 100 is 55.00000000000001: taken at its word, the rank lies beyond the slowest success.
  test.each([0.07, 0.14, 0.28, 0.55, 0.56, 0.57, 0.58])('%d of 101 samples is a whole rank in spite of rounding', (q) => {
    const whole = Math.round(q * 100)
    const samples = Array.from({ length: 101 }, (_, index) => (index <= whole ? index : POSITIVE_INFINITY))
    expect(distributionOf(samples).quantile(q)).toBe(whole)
  })

  test('leaves failures out on request', () => {
    const distribution = distributionOf([10, POSITIVE_INFINITY, 20, 30])
    expect(distribution.quantile(0.5, 'successful')).toBe(20)
    expect(distribution.max('successful')).toBe(30)
    expect(distribution.mean('successful')).toBe(20)
  })

  test('of failures alone is infinite, and empty without them', () => {
    const distribution = distributionOf([POSITIVE_INFINITY, POSITIVE_INFINITY])
    expect(distribution.quantile(0.5)).toBe(POSITIVE_INFINITY)
    expect(distribution.min()).toBe(POSITIVE_INFINITY)
    expect(distribution.quantile(0.5, 'successful')).toBeUndefined()
    expect(distribution.mean('successful')).toBeUndefined()
  })

  test.each([-0.01, 1.01, 95, Number.NaN])('refuses %d as a quantile', (q) => {
    expect(() => distributionOf([1]).quantile(q)).toThrow(RangeError)
    expect(() => distributionOf([]).quantile(q)).toThrow(RangeError)
  })
})

test.each([Number.NaN, Number.NEGATIVE_INFINITY])('refuses %d as a sample', (sample) => {
  expect(() => new ExactDistribution([1, sample])).toThrow(RangeError)
})

test('leaves the samples it is given as they are', () => {
  const samples = [3, 1, 2]
  new ExactDistribution(samples).quantile(0.5)
  expect(samples).toEqual([3, 1, 2])
})

test.each([
  [0.5, 2],
  [0.9, 10],
  [0.95, 20],
  [0.99, 100],
  [0.999, 1_000],
  [0.9999, 10_000],
  [0, 1],
  [1, 1],
])('the quantile %d takes %d samples', (q, samples) => {
  expect(requiredSamples(q)).toBe(samples)
  expect([enoughSamples(q, samples), enoughSamples(q, samples - 1)]).toEqual([true, false])
})
