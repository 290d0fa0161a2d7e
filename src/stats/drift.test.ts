import { expect, test } from 'vitest'
import { seededRandom } from '../base/index.ts'
import { driftVariance } from './drift.ts'
import type { PairedSample } from './paired-samples.ts'

/** Sessions whose ratio has noise of its own, and whatever the time of the session adds. */
function samples(count: number, added: (share: number) => number, seed = 1): PairedSample[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, cluster) => ({
    cluster,
    baseMs: 1_000,
    headMs: 1_000 * Math.exp(0.1 * (random() + random() - 1) + added(cluster / count)),
  }))
}

test('finds none where there is none, but for chance', () => {
  const found = Array.from({ length: 200 }, (_, seed) => driftVariance(samples(100, () => 0, seed)))
  const ofNoise = 0.1 ** 2 / 6 / 100
  expect(found.reduce((sum, variance) => sum + variance, 0) / found.length).toBeLessThan(ofNoise)
  expect(found.filter((variance) => variance === 0).length).toBeGreaterThan(90)
})

test('finds what the time of a session has to do with it', () => {
  const halves = (share: number) => (share < 0.5 ? 0 : 0.1)
  // Two halves that differ by 0.1: stretches with a variance of a third of that squared, over four of them.
  expect(driftVariance(samples(200, halves))).toBeCloseTo(0.1 ** 2 / 3 / 4, 3)
})

test('takes stragglers and failures for no drift', () => {
  const straggling = samples(100, () => 0).map((sample, index) => (index < 3 ? { ...sample, headMs: 20_000 } : sample))
  expect(driftVariance(straggling)).toBeLessThan(1e-4)
  const failing = samples(100, () => 0).map((sample, index) =>
    index < 3 ? { ...sample, headMs: Number.POSITIVE_INFINITY } : sample,
  )
  expect(driftVariance(failing)).toBeLessThan(1e-4)
})

test('says nothing of too few sessions', () => {
  expect(driftVariance(samples(20, (share) => share))).toBe(0)
  expect(driftVariance([])).toBe(0)
})
