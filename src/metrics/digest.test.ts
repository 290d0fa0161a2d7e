import { expect, test } from 'vitest'
import { createDigest, EMPTY_DIGEST, mergeDigests } from './digest.ts'
import { ExactDistribution } from './distribution.ts'
import type { DigestRecord } from './records.ts'
import { digestOf, seededRandom } from './run-record.fixture.ts'
import { SketchedDistribution } from './sketched-distribution.ts'

function quantile(record: DigestRecord, q: number): number {
  return new SketchedDistribution(record, 0).quantile(q) ?? Number.NaN
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Decode steps around 12 ms, 3 % of them held up by another request's prefill. */
function decodeGaps(count: number, seed: number): number[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () =>
    random() < 0.03 ? 80 * Math.exp(0.4 * normal(random)) : 12 * Math.exp(0.35 * normal(random)),
  )
}

function lognormal(count: number, seed: number): number[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => Math.exp(1.5 * normal(random)))
}

const PERCENTILES = [0.5, 0.75, 0.9, 0.95, 0.96, 0.97, 0.98, 0.99]

function expectClose(actual: number, expected = Number.NaN): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(0.01 * expected)
}

const SAMPLES: Readonly<Record<string, () => number[]>> = {
  'decode gaps': () => decodeGaps(60_000, 1),
  'few decode gaps': () => decodeGaps(4_000, 2),
  'a lognormal with a heavy tail': () => lognormal(60_000, 3),
  'rising values': () => Array.from({ length: 60_000 }, (_, index) => index + 1),
  'falling values': () => Array.from({ length: 60_000 }, (_, index) => 60_000 - index),
  'gaps of which two in three are 0': () => decodeGaps(60_000, 8).map((gap, index) => (index % 3 === 0 ? gap : 0)),
  'gaps of which half are 5 exactly': () => decodeGaps(60_000, 9).map((gap, index) => (index % 2 === 0 ? gap : 5)),
}

test.each(Object.keys(SAMPLES))('is within a hundredth of exact from p50 to p99 for %s', (name) => {
  const samples = SAMPLES[name]?.() ?? []
  const exact = new ExactDistribution(samples)
  const sketch = digestOf(samples)
  for (const q of PERCENTILES) expectClose(quantile(sketch, q), exact.quantile(q))
  expect(sketch.centroids.length).toBeLessThan(2_600)
  expect([quantile(sketch, 0), quantile(sketch, 1)]).toEqual([exact.min(), exact.max()])
})

test.each([2, 16])('sketches of %d parts merge into the whole', (parts) => {
  const samples = decodeGaps(40_000, 4)
  const merged = mergeDigests(Array.from({ length: parts }, (_, part) => digestOf(samples.filter((_, i) => i % parts === part))))
  const exact = new ExactDistribution(samples)
  expect(merged).toMatchObject({ count: samples.length, min: exact.min(), max: exact.max() })
  expect(merged.centroids.reduce((sum, [, weight]) => sum + weight, 0)).toBe(samples.length)
  for (const q of PERCENTILES) expectClose(quantile(merged, q), exact.quantile(q))
})

test('is exact for as many values as it has room for, merged or not', () => {
  const samples = decodeGaps(2_000, 5)
  const exact = new ExactDistribution(samples)
  const merged = mergeDigests([digestOf(samples.slice(0, 700)), digestOf(samples.slice(700))])
  for (const q of [0, 0.123, ...PERCENTILES, 0.999, 1]) {
    expect(quantile(digestOf(samples), q)).toBe(exact.quantile(q))
    expect(quantile(merged, q)).toBe(exact.quantile(q))
  }
})

test('is the same for the same samples', () => {
  const samples = decodeGaps(30_000, 6)
  expect(digestOf(samples)).toEqual(digestOf(samples))
})

test('counts the samples of values that repeat', () => {
  const record = digestOf(Array.from({ length: 50_000 }, (_, index) => (index % 10 === 0 ? 100 : 10)))
  expect(record).toEqual({
    count: 50_000,
    min: 10,
    max: 100,
    centroids: [
      [10, 45_000],
      [100, 5_000],
    ],
  })
})

test('can be asked in between and goes on', () => {
  const digest = createDigest()
  digest.add(1)
  expect(digest.toRecord().count).toBe(1)
  digest.add(3)
  digest.merge(digestOf([5]))
  digest.add(7)
  expect(digest.toRecord()).toMatchObject({ count: 4, min: 1, max: 7 })
})

test('survives JSON', () => {
  for (const record of [EMPTY_DIGEST, digestOf([]), digestOf([0]), digestOf(decodeGaps(20_000, 7))]) {
    expect(JSON.parse(JSON.stringify(record))).toEqual(record)
  }
})

test('merging nothing is empty', () => {
  expect(mergeDigests([])).toEqual(EMPTY_DIGEST)
  expect(mergeDigests([EMPTY_DIGEST, EMPTY_DIGEST])).toEqual(EMPTY_DIGEST)
  expect(mergeDigests([EMPTY_DIGEST, digestOf([4])])).toEqual(digestOf([4]))
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('refuses %d as a sample', (value) => {
  const digest = createDigest()
  expect(() => digest.add(value)).toThrow(RangeError)
  expect(digest.toRecord()).toEqual(EMPTY_DIGEST)
})
