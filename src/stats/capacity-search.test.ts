import { describe, expect, test } from 'vitest'
import { seededRandom } from '../base/index.ts'
import { searchCapacity, type Trial } from './capacity-search.ts'

const BOUNDS = { from: 10, to: 200, precision: 0.05, repeats: 3, mostMeasurements: 50 }

/** A server whose share of slow sessions is what the load makes it. */
function trials(share: number, samples = 200): { trials: Trial[] } {
  return { trials: [{ limit: 'p95', samples, broken: Math.round(share * samples), tolerated: 0.05 }] }
}

/** Whatever is above the knee fails clearly. */
async function searched(knee: number, bounds = BOUNDS) {
  const tried: number[] = []
  const result = await searchCapacity(bounds, async (sessions) => {
    tried.push(sessions)
    return trials(sessions > knee ? 0.3 : 0)
  })
  return { ...result, tried }
}

describe('a clear edge', () => {
  test.each([10, 11, 19, 20, 37, 64, 100, 150, 199])('at %d is found, each level measured once', async (knee) => {
    const { outcome, highestMet, lowestFailed, tried } = await searched(knee)
    expect(outcome).toBe('found')
    expect(highestMet).toBeLessThanOrEqual(knee)
    expect(lowestFailed).toBeGreaterThan(knee)
    expect((lowestFailed ?? 0) - highestMet).toBeLessThanOrEqual(Math.max(1, 0.05 * highestMet))
    expect(new Set(tried).size).toBe(tried.length)
    expect(tried.length).toBeLessThan(12)
  })

  test('above the range', async () => {
    expect(await searched(500)).toMatchObject({
      outcome: 'above-range',
      highestMet: 200,
      lowestFailed: undefined,
      tried: [10, 20, 40, 80, 160, 200],
    })
  })

  test('below the range', async () => {
    expect(await searched(9)).toMatchObject({ outcome: 'below-range', highestMet: 0, lowestFailed: 10, tried: [10] })
  })

  test('in a range of one', async () => {
    expect(await searched(500, { ...BOUNDS, to: 10 })).toMatchObject({ outcome: 'above-range', highestMet: 10, tried: [10] })
  })
})

describe('near the edge', () => {
  test('a level that may be chance is measured again, as often as asked for', async () => {
    const counts = new Map<number, number>()
    const { levels } = await searchCapacity({ ...BOUNDS, repeats: 4 }, async (sessions) => {
      counts.set(sessions, (counts.get(sessions) ?? 0) + 1)
      return trials(0.05 + (sessions - 50) / 2_000)
    })
    expect(Math.max(...counts.values())).toBe(4)
    const edge = levels.filter(({ measurements }) => measurements.length === 4)
    expect(edge.map(({ met }) => met)).toEqual([true, false])
  })

  test('one unlucky measurement does not hide the rest of the range', async () => {
    let unlucky = true
    const { highestMet } = await searchCapacity(BOUNDS, async (sessions) => {
      const share = sessions > 120 ? 0.3 : sessions === 20 && unlucky ? 0.06 : 0
      if (sessions === 20) unlucky = false
      return trials(share)
    })
    expect(highestMet).toBeGreaterThanOrEqual(114)
  })

  test('noise all around it: the edge is met within a tenth', async () => {
    let hits = 0
    for (let seed = 1; seed <= 50; seed++) {
      const random = seededRandom(seed)
      const { highestMet } = await searchCapacity(BOUNDS, async (sessions) => {
        const truth = 0.05 * (sessions / 60) ** 4
        const broken = Array.from({ length: 300 }, () => random()).filter((value) => value < truth).length
        return { trials: [{ limit: 'p95', samples: 300, broken, tolerated: 0.05 }] }
      })
      if (Math.abs(highestMet - 60) <= 6) hits++
    }
    expect(hits).toBeGreaterThanOrEqual(45)
  })
})

test('every limit must hold', async () => {
  const { highestMet } = await searchCapacity(BOUNDS, async (sessions) => ({
    trials: [
      ...trials(sessions > 100 ? 1 : 0).trials,
      { limit: 'success', samples: 100, broken: sessions > 40 ? 1 : 0, tolerated: 0 },
    ],
  }))
  expect(highestMet).toBe(40)
})

test('a limit that no sample carries is not met', async () => {
  expect(await searchCapacity(BOUNDS, async () => trials(0, 0))).toMatchObject({ outcome: 'below-range' })
})

test('stops when told to, with what it knows', async () => {
  let count = 0
  const stopped = await searchCapacity(BOUNDS, async (sessions) => (++count > 3 ? undefined : trials(sessions > 90 ? 1 : 0)))
  expect(stopped).toMatchObject({ outcome: 'unfinished', highestMet: 40, lowestFailed: undefined })
  expect(await searchCapacity({ ...BOUNDS, mostMeasurements: 2 }, async () => trials(0))).toMatchObject({
    outcome: 'unfinished',
    highestMet: 20,
  })
})
