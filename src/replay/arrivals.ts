import { seededRandom } from '../base/index.ts'

/**
 * When sessions arrive, in milliseconds from the start of a stage: evenly, or with the gaps of a Poisson process, which are
 * exponential. The same seed gives the same arrivals.
 *
 * @param ratePerSecond their mean number
 */
export function* arrivals(ratePerSecond: number, process: 'fixed' | 'poisson', seed: number): Generator<number, never> {
  if (process === 'fixed') for (let count = 0; ; count++) yield (count * 1_000) / ratePerSecond
  const meanGapMs = 1_000 / ratePerSecond
  const random = seededRandom(ARRIVALS, seed)
  let atMs = 0
  for (;;) {
    yield atMs
    atMs -= Math.log(1 - random()) * meanGapMs
  }
}

/** Keeps this sequence apart from others of the same seed. */
const ARRIVALS = 0x61727276
